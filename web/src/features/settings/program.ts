/** The name of a browser and its system, from what it tells of itself; null for a program that is none of them. */
const BROWSERS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/ Edg[A-Za-z]*\//, 'Edge'],
  [/ OPR\//, 'Opera'],
  [/ Firefox\/| FxiOS\//, 'Firefox'],
  [/ (Headless)?Chrome\/| CriOS\//, 'Chrome'],
  [/ Version\/.* Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [sign: RegExp, name: string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux|X11/, 'Linux'],
];

export interface Program {
  readonly browser: string;
  readonly system: string;
}

export function programOf(userAgent: string): Program | null {
  const [, browser] = BROWSERS.find(([sign]) => sign.test(userAgent)) ?? [];
  const [, system] = SYSTEMS.find(([sign]) => sign.test(userAgent)) ?? [];
  return browser === undefined || system === undefined ? null : { browser, system };
}
