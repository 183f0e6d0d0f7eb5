/** The credits of the account. */
import { m } from '#messages';

import { Loaded } from '../../api/failure.tsx';
import { useGet } from '../../api/queries.ts';
import { useAddress } from '../../app/search.ts';
import { money } from '../../ui/format.ts';
import { Facts, Notice, PageHead, Panel, Stack } from '../../ui/pieces.tsx';

export function CreditsPage() {
  const balance = useGet('/credits/balance', {});
  return (
    <Stack>
      <title>{m.app_title({ page: m.credits_title() })}</title>
      <PageHead title={m.credits_title()} />
      <WayBack />
      <Panel>
        <Loaded answer={balance}>
          {({ wallet_available_cents, monthly_available_cents, held_cents, debt_cents }) => (
            <Facts
              facts={[
                [m.credits_wallet(), money(wallet_available_cents)],
                [m.credits_monthly(), money(monthly_available_cents)],
                [m.credits_held(), money(held_cents)],
                [m.credits_owed(), money(debt_cents)],
              ]}
            />
          )}
        </Loaded>
      </Panel>
    </Stack>
  );
}

/** What a payment that came back here means. */
function WayBack() {
  const search = useAddress();
  if (search['topup'] === 'success') return <Notice title={m.credits_paid()}>{m.credits_paid_text()}</Notice>;
  if (search['topup'] === 'cancelled') return <Notice title={m.credits_unpaid()} />;
  if (search['from'] === 'billing')
    return <Notice title={m.credits_billing()}>{m.credits_billing_text()}</Notice>;
  return null;
}
