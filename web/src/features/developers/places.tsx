/** The pages of developers, beside each other. */
import { Navigate } from '@tanstack/react-router';

import { m } from '#messages';

import { PlacePages } from '../../ui/tabs.tsx';

const PAGES = [
  ['/developers/keys', m.keys_title],
  ['/developers/webhooks', m.webhook_title],
  ['/developers/events', m.event_title],
] as const;

export function DeveloperPlaces() {
  return (
    <PlacePages label={m.developers_title()} pages={PAGES.map(([path, label]) => [path, label()] as const)} />
  );
}

/** The place of the navigation leads to the first of them. */
export function Developers() {
  return <Navigate to="/developers/keys" replace />;
}
