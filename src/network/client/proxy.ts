import type { Settings } from '../../machine/settings/settings.ts'

/** An HTTP proxy, and who asks it. */
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
 * The proxy of the way to each host: the environment's before that of the settings, and none to a host that is to be asked
 * without. Puppet: http/proxy.rb
 */
export function proxyChoice(
  settings: ProxySettings,
  env: Environment = process.env,
): (host: string, port: number) => HttpProxy | undefined {
  const proxy = proxyOf(settings, env)
  if (!proxy) return () => undefined
  const without = unlessNone(env.no_proxy ?? env.NO_PROXY ?? settings.no_proxy) ?? ''
  const exceptions = without.split(',').flatMap((each) => each.trim() || [])
  return (host, port) => (exceptions.some((each) => isExcepted(each, host, port)) ? undefined : proxy)
}

/** The proxy of a URL of the kind `http://user:password@host:port`; `undefined` for any other text. */
export function proxyOfUrl(text: string): HttpProxy | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' || url.hostname === '') return undefined
  const { hostname, port, username, password } = url
  return { ...addressOf(hostname, port), user: decoded(username), password: decoded(password) }
}

function proxyOf(settings: ProxySettings, env: Environment): HttpProxy | undefined {
  const given = env.http_proxy ?? env.HTTP_PROXY ?? ''
  const url = URL.canParse(given) ? new URL(given) : undefined
  const host = url?.hostname || unlessNone(settings.http_proxy_host)
  if (host === undefined) return undefined
  const user = decoded(url?.username) ?? unlessNone(settings.http_proxy_user)
  const password = decoded(url?.password) ?? unlessNone(settings.http_proxy_password)
  const address = addressOf(host, url?.hostname ? url.port : String(settings.http_proxy_port))
  return { ...address, user, password: user === undefined ? undefined : password }
}

/** A URL of the kind http: has no port where it is 80. */
function addressOf(host: string, port: string): Pick<HttpProxy, 'host' | 'port'> {
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
}

/** `example.com`, `.example.com` and `*.example.com` are ends of a name; `host:port` is of that port only. */
function isExcepted(exception: string, host: string, port: number): boolean {
  const [name = '', ofPort] = exception.split(':')
  if (ofPort !== undefined && ofPort !== String(port)) return false
  const parts = name.toLowerCase().split('*')
  return host.toLowerCase().endsWith(parts.at(-1)!) && (parts.length < 3 || parts.every((part) => host.includes(part)))
}

function unlessNone(text: string): string | undefined {
  return text === 'none' || text === '' ? undefined : text
}

function decoded(text: string | undefined): string | undefined {
  if (!text) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The header that tells a proxy who asks; none where nobody need. */
export function proxyAuthorization({ user, password = '' }: HttpProxy): Readonly<Record<string, string>> {
  if (user === undefined) return {}
  return { 'proxy-authorization': `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}
