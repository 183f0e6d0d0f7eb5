import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename } from 'node:fs/promises';

import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'chai';
import Joi from 'joi';
import { pino } from 'pino';
import { QueryFailedError } from 'typeorm';

import { errorForLog } from '../../../src/bin/process/log-errors.ts';
import { loggerOptions } from '../../../src/bin/process/logger.ts';
import { AppError } from '../../../src/domain/errors.ts';

const SECRET = 'CC(=O)Oc1ccccc1';
const KEY = 'accounts/018f2f3a-0000-7000-8000-000000000001/uploads/018f2f3a-0000-7000-8000-000000000002';

/** An error as the driver gives it. */
const driverError = (code: string, message: string): Error =>
  Object.assign(new Error(message), {
    code,
    constraint: 'jobs_one_name',
    detail: `Failing row contains (${SECRET}).`,
    where: `unnamed portal parameter $1 = '${SECRET}'`,
  });
const failed = (code: string, message: string): Error =>
  new QueryFailedError('insert into jobs values ($1)', [SECRET], driverError(code, message));

/** The lines that a logger of ours writes. */
const linesOf = (log: (logger: pino.Logger) => void): string => {
  const lines: string[] = [];
  log(pino(loggerOptions('test', 'debug'), { write: (line: string) => lines.push(line) }));
  return lines.join('');
};

describe('errors in logs', () => {
  it('of a failed statement have message, code and constraint, not its parameters or its rows', () => {
    const line = linesOf((logger) =>
      logger.error(
        { err: failed('23505', 'duplicate key value violates unique constraint "jobs_one_name"') },
        'x',
      ),
    );
    expect(line).not.to.contain(SECRET);
    const { err } = JSON.parse(line);
    expect(err).to.include({
      type: 'QueryFailedError',
      message: 'duplicate key value violates unique constraint "jobs_one_name"',
      code: '23505',
      constraint: 'jobs_one_name',
    });
    expect(Object.keys(err).sort()).to.deep.equal(['code', 'constraint', 'message', 'stack', 'type']);
  });

  it('tell no value that PostgreSQL or the JSON parser could not read', () => {
    const unread = [
      failed('22P02', `invalid input syntax for type uuid: "${SECRET}"`),
      failed('22P02', `invalid input syntax for type json: "{"a": "${SECRET}"}" is cut "off`),
      ApplicationFailure.create({ type: 'QueryFailedError', message: `value "${SECRET}" is out of range` }),
      new SyntaxError(`Unexpected token 'C', "${SECRET}" is not valid JSON`),
      `admitJob: invalid input syntax for type uuid: "${SECRET}"`,
    ];
    for (const error of unread) {
      const told = JSON.stringify(errorForLog(error));
      expect(told).not.to.contain(SECRET);
      expect(told).to.match(/invalid input|value|Unexpected/);
    }
  });

  it('tell no value that a schema, the file system or the runtime could not take', async () => {
    const thrown = async (work: () => unknown): Promise<unknown> => {
      try {
        await work();
      } catch (error) {
        return error;
      }
      return expect.fail('nothing was thrown');
    };
    const ways: Readonly<Record<string, () => unknown>> = {
      pattern: () => Joi.attempt({ name: SECRET }, Joi.object({ name: Joi.string().pattern(/^x$/) })),
      label: () => Joi.attempt({ [SECRET]: 1 }, Joi.object({})),
      file: () => readFile(`/nowhere/${SECRET}/it's "here".pdb`),
      folder: () => mkdir(`/dev/null/${SECRET}`),
      rename: () => rename(`/nowhere/${SECRET}`, '/nowhere/else'),
      program: () => once(spawn(`/nowhere/${SECRET}`), 'spawn'),
      host: () =>
        Promise.reject(Object.assign(new Error(`getaddrinfo ENOTFOUND ${SECRET}`), { code: 'ENOTFOUND' })),
      address: () => new URL(SECRET),
      json: () => JSON.parse(`{"a": ${SECRET}}`),
      bigint: () => BigInt(SECRET),
      expression: () => new RegExp(`(${SECRET}`),
      language: () => new Intl.DateTimeFormat(SECRET),
      currency: () => new Intl.NumberFormat('en', { style: 'currency', currency: SECRET }),
      escape: () => decodeURIComponent(`%${SECRET}`),
      header: () => new Headers({ [SECRET]: 'x' }),
      member: () => 'x' in (SECRET as never as object),
      property: () => Reflect.apply(Object.defineProperty, null, [SECRET, 'x', {}]),
      hash: () => createHash(SECRET),
      encoding: () => new TextDecoder(SECRET),
      argument: () => Buffer.alloc(SECRET as never, 1),
    };
    for (const [way, work] of Object.entries(ways)) {
      const error = await thrown(work);
      const told = JSON.stringify([errorForLog(error), errorForLog(String(error))]);
      expect(told, way).not.to.contain(SECRET);
      expect(told, way).not.to.contain('here');
      expect((errorForLog(error) as { message: string }).message, way).to.not.equal('');
    }
  });

  it('keep the words of a message that quotes nothing', () => {
    for (const message of [
      "connect ECONNREFUSED 127.0.0.1:5432, and it doesn't answer",
      'The gateway answered 502 (3 tries).',
    ])
      expect(errorForLog(new Error(message))).to.include({ message });
  });

  it('tell of an error of ours its code, not the text that is written for the customer', () => {
    const error = new AppError('SERVICE_UNAVAILABLE', `The ligand ${SECRET} was not drawn.`, {
      cause: new Error('connection refused'),
    });
    const told = errorForLog(error);
    expect(told).to.deep.include({ type: 'AppError', code: 'SERVICE_UNAVAILABLE' });
    expect(JSON.stringify(told)).to.contain('connection refused').and.not.contain(SECRET);
    const handedOn = ApplicationFailure.create({ type: 'AppError', message: `The ligand ${SECRET}.` });
    expect(JSON.stringify(errorForLog(handedOn))).not.to.contain(SECRET);
  });

  it('tell of a storage key what is ours, and not the name that the customer gave', () => {
    for (const key of [
      `${KEY}/${SECRET} of my project.pdb`,
      `${KEY.replace('uploads', 'projects')}/018f2f3a-0000-7000-8000-000000000003/${SECRET}/x`,
      `${KEY.replace('uploads', 'jobs')}/0/ligands/${SECRET}/poses.sdf`,
    ]) {
      const told = JSON.stringify(errorForLog(new Error(`AccessDenied: the store did not remove ${key}.`)));
      expect(told).to.contain('AccessDenied').and.contain('000000000002/').and.not.contain(SECRET);
    }
  });

  it('have the causes and the parts of an error, each without its other properties, and where it was thrown', () => {
    const error = new Error('outer', {
      cause: Object.assign(new AggregateError([failed('23505', 'inner')], 'two'), { Key: SECRET }),
    });
    const told = errorForLog(Object.assign(error, { request: { body: SECRET } }));
    expect(JSON.stringify(told)).to.contain('outer').and.contain('two').and.contain('inner');
    expect(JSON.stringify(told)).to.contain('log-errors.test.ts').and.not.contain(SECRET);
    const several = errorForLog(new Error(`first line\nat last ${SECRET}\n${SECRET}`)) as { stack: string };
    expect(several.stack).not.to.contain(SECRET);
  });

  it('end where causes go round in a circle, and pass on what is no error', () => {
    const circle: { message: string; cause?: unknown } = { message: 'round' };
    circle.cause = circle;
    expect(JSON.stringify(errorForLog(circle))).to.contain('round');
    expect(errorForLog(undefined)).to.equal(undefined);
    expect(errorForLog({ body: SECRET })).to.deep.equal({ type: 'object' });
  });

  it("and fields that would be the customer's are not shown, in lines as well as in what they share", () => {
    const line = linesOf((logger) => {
      logger.info({ body: SECRET, smiles: SECRET, filename: { name: SECRET }, jobId: 'kept' }, 'x');
      logger.child({ headers: { authorization: SECRET } }).info({ error: { parameters: [SECRET] } }, 'y');
    });
    expect(line).not.to.contain(SECRET);
    expect(line).to.contain('kept');
  });
});
