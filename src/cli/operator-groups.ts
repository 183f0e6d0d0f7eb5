/**
 * The groups of operators' commands as the list of all commands shows them. The commands of a group take most of a second to
 * load, so a group is filled only when it is called.
 */

/** A group by its name and the sentence about it. */
export interface GroupWords {
  readonly name: string;
  readonly summary: string;
}

/** The group `dockyard admin`. */
export const ADMIN_GROUP: GroupWords = {
  name: 'admin',
  summary:
    'Operate the service: accounts, people, credits, plans, limits, rates, jobs, maintenance, instances, builds, databases',
};

/** The group `dockyard tools`. */
export const TOOLS_GROUP: GroupWords = {
  name: 'tools',
  summary: 'Programs of others that tools run: installed on demand, for this user',
};
