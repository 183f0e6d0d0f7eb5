/** `dockyard limits`: the cost limits of the account, what was spent of them, and setting them. */
import type { Command } from 'commander';

import type { Person } from '../../../client/index.ts';
import type { BillingSettings, BillingSettingsRequest } from '../../../client/types.ts';
import { id, limitOf, penceOrNone } from '../../arguments.ts';
import type { PenceOrNone } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext } from '../../command.ts';
import { facts, pounds } from '../../table.ts';
import { asPerson } from './as-person.ts';

interface Options {
  readonly jobPence?: PenceOrNone;
  readonly monthPence?: PenceOrNone;
  readonly memberKeysPence?: PenceOrNone;
  readonly lowBalancePence?: PenceOrNone;
  readonly key?: string;
  readonly keyMonthPence?: PenceOrNone;
}

/** Adds the command that shows and sets limits. */
export function addLimitsCommand(program: Command, context: CommandContext): void {
  addCommand<Options>(program, context, {
    usage: 'limits',
    summary:
      'Show the plan and the cost limits of the account and of its keys with what is spent and left, and set those that are named; for owners, after login --browser.',
    examples: [
      'limits',
      'limits --job-pence 5000 --month-pence 20000 --low-balance-pence 500',
      'limits --key 01890a5d-ac96-774b-bcce-b302099a8057 --key-month-pence 1000',
      'limits --month-pence none',
    ],
    configure: (command) =>
      command
        .option('--job-pence <n>', 'the most that one job may cost; none takes the limit away', penceOrNone)
        .option('--month-pence <n>', 'the most in a month (UTC), charged and held; or none', penceOrNone)
        .option(
          '--member-keys-pence <n>',
          'the most in a month by all keys of a member; or none',
          penceOrNone,
        )
        .option('--low-balance-pence <n>', 'a mail when the credits fall below; or none', penceOrNone)
        .option('--key <id>', 'an API key of the account', id)
        .option('--key-month-pence <n>', 'the most in a month (UTC) by that key; or none', penceOrNone)
        .hook('preAction', () => {
          const { key, keyMonthPence } = command.opts<Options>();
          if ((key === undefined) !== (keyMonthPence === undefined))
            command.error('error: --key and --key-month-pence go together');
        }),
    run: async (cli, options) => {
      const settings = await asPerson(cli, (person) => limits(person, options));
      return { data: settings, text: limitsText(settings) };
    },
  });
}

async function limits(person: Person, options: Options): Promise<BillingSettings> {
  const { jobPence, monthPence, memberKeysPence, lowBalancePence, key, keyMonthPence } = options;
  const change: BillingSettingsRequest = {
    ...(jobPence === undefined ? {} : { jobLimitCents: limitOf(jobPence) }),
    ...(monthPence === undefined ? {} : { monthLimitCents: limitOf(monthPence) }),
    ...(memberKeysPence === undefined ? {} : { memberKeysLimitCents: limitOf(memberKeysPence) }),
    ...(lowBalancePence === undefined ? {} : { lowBalanceCents: limitOf(lowBalancePence) }),
  };
  const isOfKey = key !== undefined && keyMonthPence !== undefined;
  if (!isOfKey) return Object.keys(change).length === 0 ? person.billing() : person.changeBilling(change);
  // The service takes the limits of keys as a whole, so those of the other keys are sent as they are.
  const { keyLimits } = await person.billing();
  const others = keyLimits.filter(({ keyId }) => keyId !== key);
  const own = keyMonthPence === 'none' ? [] : [{ keyId: key, monthLimitCents: keyMonthPence }];
  return person.changeBilling({ ...change, keyLimits: [...others, ...own] });
}

/** Limits for people. */
export function limitsText(settings: BillingSettings): string {
  const { plan, allowanceEndsAt, spending, jobLimitCents, monthLimitCents, lowBalanceCents } = settings;
  const { memberKeysLimitCents, autoTopUp, keyLimits } = settings;
  const ofKeys = new Map(spending.keys.map((key) => [key.keyId, key]));
  return facts([
    ['Plan', allowanceEndsAt === null ? plan : `${plan}, monthly credits until ${day(allowanceEndsAt)}`],
    ['Month', `${day(spending.startsAt)} to ${day(spending.endsAt)} (UTC)`],
    ['Spent in the month', spentText(monthLimitCents, spending)],
    ['One job', limitText(jobLimitCents)],
    ["A member's keys", `${limitText(memberKeysLimitCents)} a month`],
    ...keyLimits.map(
      ({ keyId, monthLimitCents: limit }) => [`Key ${keyId}`, spentText(limit, ofKeys.get(keyId))] as const,
    ),
    ['Mail of low credits', lowBalanceCents === null ? 'none' : `below ${pounds(lowBalanceCents)}`],
    ...(autoTopUp === null
      ? []
      : [
          [
            'Bought by itself',
            `${autoTopUp.tierId} below ${pounds(autoTopUp.belowCents)}, ${autoTopUp.state}`,
          ] as const,
        ]),
  ]);
}

function spentText(
  limit: number | null,
  spent: Pick<BillingSettings['spending'], 'spentCents' | 'restCents'> = { spentCents: 0, restCents: limit },
): string {
  const { spentCents, restCents } = spent;
  return restCents === null
    ? `${pounds(spentCents)}, no limit`
    : `${pounds(spentCents)} of ${limitText(limit)}, ${pounds(restCents)} left`;
}

function limitText(limitCents: number | null): string {
  return limitCents === null ? 'no limit' : pounds(limitCents);
}

function day(time: string): string {
  return time.slice(0, 10);
}
