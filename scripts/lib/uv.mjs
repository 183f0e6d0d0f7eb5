// Settings of this machine for uv, which makes the Python environments. uv reads none of pip's configuration, and whoever has a mirror
// of the package index or an authority of his own has told pip of it; so it is handed on. Node built-ins only, like all of the set-up.

/** How uv takes each of pip's settings: as options, one for each word of the value. */
const OPTIONS = {
  'index-url': (word) => ['--default-index', word],
  'extra-index-url': (word) => ['--index', word],
  'find-links': (word) => ['--find-links', word],
  'trusted-host': (word) => ['--allow-insecure-host', word],
  'no-index': (word) => (/^(0|no|false|off)$/i.test(word) ? [] : ['--no-index']),
};
/** How uv takes the others: as variables of its environment. */
const VARIABLES = {
  cert: (value) => ({ SSL_CERT_FILE: value }),
  proxy: (value) => ({ ALL_PROXY: value }),
  timeout: (value) => ({ UV_HTTP_TIMEOUT: value }),
  'default-timeout': (value) => ({ UV_HTTP_TIMEOUT: value }),
};
/** Places of a setting: a variable, the section of a command, the section of all; the first that has the setting decides. */
const PLACES = [':env:', 'install', 'global'];

/** Turns the output of `pip config list` into options and variables of `uv pip install`. */
export function uvSettings(listed) {
  const lines = listed.split('\n').flatMap((line) => {
    const match = /^(\S+?)\.([a-z-]+)='(.*)'$/.exec(line.trim());
    return match
      ? [{ place: PLACES.indexOf(match[1]), key: match[2], value: match[3].replace(/\\n/g, ' ') }]
      : [];
  });
  const known = lines.filter(({ place }) => place >= 0).sort((a, b) => a.place - b.place);
  const decided = known.filter(({ key }, index) => known.findIndex((each) => each.key === key) === index);
  // pip trusts the certificates of the system, and takes a package from any index that has the locked file.
  const options = ['--system-certs', '--index-strategy', 'unsafe-best-match'];
  const variables = {};
  for (const { key, value } of decided) {
    const words = value.split(/\s+/).filter((word) => word !== '');
    if (OPTIONS[key]) options.push(...words.flatMap(OPTIONS[key]));
    if (VARIABLES[key]) Object.assign(variables, VARIABLES[key](value));
  }
  return { options, variables };
}
