/** Light or dark: as the system has it, or as the person has chosen on this machine. */

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'dockyard-theme';

/** The theme that was chosen. */
export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(KEY);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Shows the page in the theme that was chosen. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Chooses a theme for this machine. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
}
