/** Tools as the providers of instances offer them. */
import { EntitySchema } from 'typeorm';

import { boolean, nullable, primary, text, time } from './columns.ts';

/** Last report of a provider about a tool, or about a variant of its programs. */
export interface ToolOffer {
  provider: string;
  toolId: string;
  /** Empty for the programs without a variant. */
  variant: string;
  available: boolean;
  /** Null when the tool is available. */
  reason: string | null;
  version: string | null;
  digest: string | null;
  seenAt: Date;
}

/** Table `tool_offers`. */
export const ToolOfferEntity = new EntitySchema<ToolOffer>({
  name: 'ToolOffer',
  tableName: 'tool_offers',
  columns: {
    provider: primary(text),
    toolId: primary(text),
    variant: primary(text),
    available: boolean,
    reason: nullable(text),
    version: nullable(text),
    digest: nullable(text),
    seenAt: time,
  },
});
