import { defineIssues, PuppetError, throwIssue } from '../../base/issue.ts'
import { parseNamePattern, splitBeanName } from './bean-names.ts'
import type { BeanAttributes, MBean } from './mbean.ts'
import { type JolokiaRequest, splitPath } from './request.ts'

/** Dependencies of Jolokia requests. */
export interface JolokiaSources {
  /** The current beans. */
  beans(): readonly MBean[]
  /** The version of Plumbline. */
  readonly version: string
  now(): number
}

/** A Jolokia response: a value with status 200, or an error. The HTTP status is always 200. */
export type JolokiaAnswer = Readonly<Record<string, unknown>> & { readonly status: number }

/** The version of Jolokia in Puppet Server 7 and 8. */
const jolokia = { agent: '1.7.1', protocol: '7.2' } as const

const issues = defineIssues({
  JOLOKIA_NO_BEAN: { text: (a: { name: string }) => a.name },
  JOLOKIA_NO_BEANS: {
    text: (a: { pattern: string }) => `No MBean with pattern ${a.pattern} found for reading attributes`,
  },
  JOLOKIA_NO_ATTRIBUTE: { text: (a: { name: string }) => `No such attribute: ${a.name}` },
})

/** Java exceptions by issue, for errors with status 404. */
const notFound: Readonly<Record<string, string>> = {
  JOLOKIA_NO_BEAN: 'javax.management.InstanceNotFoundException',
  JOLOKIA_NO_BEANS: 'javax.management.InstanceNotFoundException',
  JOLOKIA_NO_ATTRIBUTE: 'javax.management.AttributeNotFoundException',
}

/** Parses and answers a request. An error is returned as a response. */
export async function answerJolokia(read: () => JolokiaRequest, sources: JolokiaSources): Promise<JolokiaAnswer> {
  let request: JolokiaRequest | undefined
  try {
    request = read()
    const value = await readValue(request, sources)
    return { request, value, timestamp: Math.floor(sources.now() / 1000), status: 200 }
  } catch (error) {
    return createErrorAnswer(error, request)
  }
}

/** Response to an error: 404 if a bean or attribute does not exist, otherwise 400. */
export function createErrorAnswer(error: unknown, request?: JolokiaRequest): JolokiaAnswer {
  if (!(error instanceof PuppetError)) throw error
  const { code, message } = error.diagnostic
  const found = notFound[code]
  const type = found ?? 'java.lang.IllegalArgumentException'
  const answer = { error_type: type, error: `${type} : ${message}`, status: found ? 404 : 400 }
  return found ? { request, ...answer } : answer
}

async function readValue(request: JolokiaRequest, sources: JolokiaSources): Promise<unknown> {
  const { type, mbean = '', attribute, path = '' } = request
  if (type === 'version')
    return { ...jolokia, config: {}, info: { product: 'plumbline', vendor: 'plumbline', version: sources.version } }
  if (type === 'list') return getMember(listBeans(sources.beans()), splitPath(path)) ?? {}
  const pattern = parseNamePattern(mbean)
  const found = sources.beans().filter(({ name }) => pattern.matches(name))
  if (type === 'search') return found.map(({ name }) => name)
  if (pattern.isWild) return readBeans(mbean, found, attribute)
  const all = await readAttributes(found[0] ?? throwIssue(issues.JOLOKIA_NO_BEAN, { name: mbean }))
  const unknown = [attribute ?? []].flat().find((name) => !Object.hasOwn(all, name))
  if (unknown !== undefined) throwIssue(issues.JOLOKIA_NO_ATTRIBUTE, { name: unknown })
  return typeof attribute === 'string'
    ? (getMember(all[attribute], splitPath(path)) ?? null)
    : pickAttributes(all, attribute)
}

async function readBeans(pattern: string, found: readonly MBean[], attribute: JolokiaRequest['attribute']) {
  if (found.length === 0) return throwIssue(issues.JOLOKIA_NO_BEANS, { pattern })
  const values: Record<string, BeanAttributes> = {}
  for (const each of found) {
    const picked = pickAttributes(await readAttributes(each), typeof attribute === 'string' ? [attribute] : attribute)
    if (Object.keys(picked).length > 0) values[each.name] = picked
  }
  return values
}

function pickAttributes(all: BeanAttributes, names: readonly string[] = Object.keys(all)): BeanAttributes {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(all, name) ? [[name, all[name]]] : [])))
}

/** Reads the attributes of a bean. Beans of Java itself also have an attribute `ObjectName`. */
async function readAttributes({ name, read }: MBean): Promise<BeanAttributes> {
  return name.startsWith('java.lang:') ? { ...(await read()), ObjectName: { objectName: name } } : read()
}

/** Describes all beans, by domain and properties. */
function listBeans(beans: readonly MBean[]): Readonly<Record<string, Record<string, object>>> {
  const domains: Record<string, Record<string, object>> = {}
  for (const { name, types, class: javaClass } of beans) {
    const [domain, properties] = splitBeanName(name)
    const described = Object.entries(types).map(([each, type]) => [each, { rw: false, type, desc: each }])
    domains[domain] ??= {}
    domains[domain]![properties.join(',')] = { attr: Object.fromEntries(described), class: javaClass, desc: '' }
  }
  return domains
}

/** The part of a value at a path; `undefined` if missing. */
function getMember(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at: unknown, step) => {
    const has = typeof at === 'object' && at !== null && Object.hasOwn(at, step)
    return has ? (at as Readonly<Record<string, unknown>>)[step] : undefined
  }, value)
}
