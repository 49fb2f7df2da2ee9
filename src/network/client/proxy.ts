import type { Settings } from '../../machine/settings/settings.ts'

/** An HTTP proxy, with the credentials of its user. */
export interface HttpProxy {
  readonly host: string
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
}

/** The settings of a proxy. */
export type ProxySettings = Pick<
  Settings,
  'http_proxy_host' | 'http_proxy_port' | 'http_proxy_user' | 'http_proxy_password' | 'no_proxy'
>

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns a function that selects the proxy for a host. Environment variables have precedence over the settings; hosts
 * in `no_proxy` use no proxy. Puppet: http/proxy.rb
 */
export function createProxySelector(
  settings: ProxySettings,
  env: Environment = process.env,
): (host: string, port: number) => HttpProxy | undefined {
  const proxy = readProxy(settings, env)
  if (!proxy) return () => undefined
  const without = ignoreNone(env.no_proxy ?? env.NO_PROXY ?? settings.no_proxy) ?? ''
  const exceptions = without.split(',').flatMap((each) => each.trim() || [])
  return (host, port) => (exceptions.some((each) => isProxyException(each, host, port)) ? undefined : proxy)
}

/** Parses a proxy URL, `http://user:password@host:port`; `undefined` for other text. */
export function parseProxyUrl(text: string): HttpProxy | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' || url.hostname === '') return undefined
  const { hostname, port, username, password } = url
  return { ...toProxyAddress(hostname, port), user: decodeCredential(username), password: decodeCredential(password) }
}

function readProxy(settings: ProxySettings, env: Environment): HttpProxy | undefined {
  const given = env.http_proxy ?? env.HTTP_PROXY ?? ''
  const url = URL.canParse(given) ? new URL(given) : undefined
  const host = url?.hostname || ignoreNone(settings.http_proxy_host)
  if (host === undefined) return undefined
  const user = decodeCredential(url?.username) ?? ignoreNone(settings.http_proxy_user)
  const password = decodeCredential(url?.password) ?? ignoreNone(settings.http_proxy_password)
  const address = toProxyAddress(host, url?.hostname ? url.port : String(settings.http_proxy_port))
  return { ...address, user, password: user === undefined ? undefined : password }
}

/** Uses port 80 if `port` is empty, since `URL` omits port 80 of an http: URL. */
function toProxyAddress(host: string, port: string): Pick<HttpProxy, 'host' | 'port'> {
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
}

/**
 * Returns true if a `no_proxy` entry matches the host. `example.com`, `.example.com` and `*.example.com` match the end
 * of the host name; `host:port` matches this port only.
 */
function isProxyException(exception: string, host: string, port: number): boolean {
  const [name = '', ofPort] = exception.split(':')
  if (ofPort !== undefined && ofPort !== String(port)) return false
  const parts = name.toLowerCase().split('*')
  return host.toLowerCase().endsWith(parts.at(-1)!) && (parts.length < 3 || parts.every((part) => host.includes(part)))
}

function ignoreNone(text: string): string | undefined {
  return text === 'none' || text === '' ? undefined : text
}

function decodeCredential(text: string | undefined): string | undefined {
  if (!text) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the authorization header for a proxy; empty for a proxy without a user. */
export function formatProxyAuthorization({ user, password = '' }: HttpProxy): Readonly<Record<string, string>> {
  if (user === undefined) return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}
