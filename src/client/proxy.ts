/**
 * Proxies that the environment names (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). The client changes nothing of the process: it goes through a
 * proxy where Node does, which NODE_USE_ENV_PROXY=1 asks of Node 22.21, 24.5 and later, and names the proxy where nothing is reached.
 */
// A name that is imported from these modules would keep the agent of the start of the process.
import http from 'node:http';
import https from 'node:https';

/** An agent of Node, whose types leave out the options of the agent for HTTP. */
type AgentWithOptions = Pick<http.Agent, 'maxSockets'> & { readonly options?: https.AgentOptions };

/** The proxy settings by which Node's own agent goes; undefined where the agent goes through no proxy. */
export function proxyEnvOf(protocol: string): http.ProxyEnv | undefined {
  const { globalAgent }: { globalAgent: AgentWithOptions } = protocol === 'https:' ? https : http;
  return globalAgent.options?.proxyEnv;
}

/** Describes the proxy for the message about an address that was not reached; empty where the environment names none for it. */
export function proxyWords(url: URL): string {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const env = process.env;
  const isNamed = (env[name.toLowerCase()] ?? env[name] ?? '') !== '';
  if (!isNamed || isExcepted(url.hostname, env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return '';
  return proxyEnvOf(url.protocol) === undefined
    ? ` ${name} is set, and Node goes through it only with NODE_USE_ENV_PROXY=1 (22.21, 24.5 and later).`
    : ` The call goes through the proxy that ${name} names.`;
}

function isExcepted(host: string, list: string): boolean {
  const isLoopback = host === 'localhost' || host === '[::1]' || host.startsWith('127.');
  const entries = list.split(',').map((entry) => entry.trim().replace(/^\*?\./, ''));
  return isLoopback || entries.some((entry) => entry === '*' || host === entry || host.endsWith(`.${entry}`));
}
