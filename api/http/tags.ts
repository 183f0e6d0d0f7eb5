/** The groups of operations in the API document. An endpoint names its group, and the document lists the groups that are named. */
import { CUSTOMER_TOOLS, readersNote } from '../../src/tools/catalogue.ts';

/** A group of operations. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** Every group, by the folder of its endpoints. */
export const TAGS = {
  jobs: {
    name: 'Jobs',
    description: 'Submit, estimate, follow and cancel jobs, and download their outputs.',
  },
  uploads: { name: 'Uploads', description: 'Bring files into the store.' },
  prices: { name: 'Prices', description: 'Prices for everybody, without a key.' },
  credits: { name: 'Credits', description: 'Balance and ledger.' },
  people: { name: 'People', description: 'Signing up and in, sessions and passwords.' },
  members: { name: 'Members', description: 'The account, its people, and invitations to it.' },
  keys: { name: 'Keys', description: 'API keys.' },
  settings: { name: 'Settings', description: 'What owners set for their account.' },
  audit: { name: 'Audit', description: 'Who changed what of the account.' },
  simulators: { name: 'Simulators', description: 'What can be run here.' },
  docking: {
    name: 'Docking',
    description: `Artifacts, receptors and ligands of molecular jobs.${readersNote(CUSTOMER_TOOLS, 'receptorArtifact')}`,
  },
  projects: {
    name: 'Projects',
    description: 'Versioned molecular workspaces, and shares of their revisions.',
  },
  events: { name: 'Events', description: 'What happened to the things of the account.' },
  webhooks: { name: 'Webhooks', description: 'Events, sent to servers of the account.' },
  conversions: { name: 'Conversions', description: 'Structures and molecules in other formats.' },
  operations: { name: 'Operations', description: 'Whether a process lives, and whether it can serve.' },
  discovery: { name: 'Discovery', description: 'The API document.' },
} as const satisfies Readonly<Record<string, Tag>>;
