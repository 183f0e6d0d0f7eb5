/** The addresses to which payments come back lead on, with the mark that they bring. */
import { Navigate } from '@tanstack/react-router';

import { useAddress } from '../../app/search.ts';

export function CreditsWayBack() {
  return <Navigate to="/credits" search={useAddress()} replace />;
}

export function BillingWayBack() {
  const search = useAddress();
  return <Navigate to="/credits" search={{ ...search, from: 'billing' }} replace />;
}
