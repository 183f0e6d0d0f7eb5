/** A request as code that submits it. The key of the caller is read from the environment, never written. */

type Writer = (request: object, origin: string) => string;

const pretty = (request: object): string => JSON.stringify(request, null, 2);

/** Texts of a shell stand between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The languages, in the order in which they are offered. */
export const LANGUAGES: Readonly<Record<string, Writer>> = {
  JSON: pretty,
  curl: (request, origin) =>
    [
      `curl ${origin}/api/v1/jobs/submit \\`,
      '  -H "Authorization: Bearer $DOCKYARD_API_KEY" \\',
      '  -H "Idempotency-Key: $(uuidgen)" \\',
      "  -H 'Content-Type: application/json' \\",
      `  --data ${quoted(pretty(request))}`,
    ].join('\n'),
  TypeScript: (request, origin) =>
    [
      "import { createClient } from 'dockyard-client';",
      '',
      `const client = createClient({ apiUrl: '${origin}', apiKey: process.env.DOCKYARD_API_KEY ?? '' });`,
      `const { jobId } = await client.submit(${pretty(request)});`,
      'for await (const status of client.watch(jobId)) console.log(status.status, status.progress.percent);',
    ].join('\n'),
  Python: (request, origin) =>
    [
      'import json, os, urllib.request, uuid',
      '',
      `job = json.loads(r"""${pretty(request).replaceAll('"""', '\\u0022\\u0022\\u0022')}""")`,
      'call = urllib.request.Request(',
      `    "${origin}/api/v1/jobs/submit",`,
      '    data=json.dumps(job).encode(),',
      '    headers={',
      '        "Authorization": f"Bearer {os.environ[\'DOCKYARD_API_KEY\']}",',
      '        "Idempotency-Key": str(uuid.uuid4()),',
      '        "Content-Type": "application/json",',
      '    },',
      ')',
      'print(json.load(urllib.request.urlopen(call))["jobId"])',
    ].join('\n'),
};
