/** The places of the navigation, and the keys that lead to them: `g` and then the letter. A feature adds its line. */
import { m } from '#messages';

export interface Place {
  readonly path: string;
  readonly label: () => string;
  readonly letter: string;
  /** The drawing of the place, 16 × 16, as the path of an SVG. */
  readonly drawing: string;
}

export const places: readonly Place[] = [
  { path: '/', label: m.app_home, letter: 'h', drawing: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z' },
  { path: '/jobs', label: m.app_jobs, letter: 'j', drawing: 'M3 4h10M3 8h10M3 12h6' },
  { path: '/credits', label: m.credits_title, letter: 'c', drawing: 'M2.500 4.500h11v7h-11zM2.500 7h11' },
  { path: '/files', label: m.files_title, letter: 'f', drawing: 'M3 2.500h6l4 4v7H3zM9 2.500v4h4' },
  {
    path: '/developers',
    label: m.developers_title,
    letter: 'd',
    drawing: 'M5.500 4.500 2 8l3.500 3.500M10.500 4.500 14 8l-3.500 3.500M9 3l-2 10',
  },
  {
    path: '/settings',
    label: m.settings_title,
    letter: 's',
    drawing: 'M2 5h6M12 5h2M8 5a2 2 0 1 0 4 0a2 2 0 1 0-4 0M2 11h2M8 11h6M4 11a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  },
];

/** Pages of a place that the finder leads to. */
export const pagesOfPlaces: readonly Pick<Place, 'path' | 'label'>[] = [
  { path: '/developers/keys', label: m.keys_title },
  { path: '/developers/webhooks', label: m.webhook_title },
  { path: '/developers/events', label: m.event_title },
];
