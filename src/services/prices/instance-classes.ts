/**
 * The classes of instances: one file, validated at start, in which every type is one of the price book. Without a file of the
 * operator's own the classes of this release are used.
 */
import { readFileSync } from 'node:fs';

import Joi from 'joi';

import { classOf } from '../../domain/instance-classes.ts';
import type { ClassDefinition, InstanceClass } from '../../domain/instance-classes.ts';
import { MARKETS } from '../../domain/recoveries.ts';
import builtIn from './instance-classes.json' with { type: 'json' };
import { loadPriceBook } from './price-book.ts';

const SCHEMA = Joi.array<ClassDefinition[]>()
  .items(
    Joi.object<ClassDefinition>({
      name: Joi.string()
        .pattern(/^[a-z0-9][a-z0-9-]{0,62}$/)
        .required(),
      types: Joi.array().items(Joi.string()).min(1).unique().required(),
      subnets: Joi.array()
        .items(Joi.string().pattern(/^subnet-[0-9a-f]{8,17}$/))
        .min(1)
        .unique(),
      markets: Joi.array()
        .items(Joi.valid(...MARKETS))
        .min(1)
        .unique(),
      diskGib: Joi.number().integer().min(16).max(16_384).required(),
      onlyWhenNamed: Joi.boolean(),
    }),
  )
  .unique('name')
  .min(1);

/** File of the classes, and the subnets of those that name none. */
export interface ClassSettings {
  readonly instanceClassesFile: string;
  readonly ec2Subnets: string;
}

/** Reads the classes. @throws Error that names the file and every wrong entry. */
export function loadInstanceClasses({
  instanceClassesFile: file,
  ec2Subnets,
}: ClassSettings): readonly InstanceClass[] {
  const subnets = ec2Subnets === '' ? [] : ec2Subnets.split(',');
  const where = file === '' ? 'the classes of instances' : file;
  try {
    const read: unknown = file === '' ? builtIn : JSON.parse(readFileSync(file, 'utf8'));
    const checked = SCHEMA.validate(read, { abortEarly: false, convert: false });
    if (checked.error !== undefined) throw checked.error;
    const types = loadPriceBook().instanceTypes;
    return checked.value.map((definition) => classOf(definition, types, subnets));
  } catch (error) {
    throw new Error(`Wrong ${where}: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}
