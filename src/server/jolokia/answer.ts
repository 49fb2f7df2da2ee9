import { PuppetError } from '../../base/issue.ts'
import type { Attributes, MBean } from './mbean.ts'
import { isPattern, matchesName, nameText, type ObjectName, parseObjectName, propertyText } from './object-name.ts'
import { type JolokiaRequest, partsOf } from './request.ts'

/** The beans that are asked for, and the clock. */
export interface JolokiaSources {
  /** All beans that there are now. */
  beans(): readonly MBean[]
  /** The version of Plumbline. */
  readonly version: string
  now(): number
}

/** An answer: a value with status 200, or an error with another. The answer over HTTP is 200 in any case. */
export type JolokiaAnswer = Readonly<Record<string, unknown>> & { readonly status: number }

/** The version of Jolokia whose wire this is: that of Puppet Server 7 and 8. */
const jolokia = { agent: '1.7.1', protocol: '7.2' } as const

/** Answers one question. Never throws. */
export async function answerJolokia(request: JolokiaRequest, sources: JolokiaSources): Promise<JolokiaAnswer> {
  try {
    if (request.type === 'exec' || request.type === 'write') return forbidden(request)
    const value = await answerValue(request, sources)
    if (value instanceof Missing) return { request, ...value.error }
    return { request, value, timestamp: Math.floor(sources.now() / 1000), status: 200 }
  } catch (error) {
    return badRequest(error)
  }
}

/** The answer to a question that cannot be read. */
export function badRequest(error: unknown): JolokiaAnswer {
  if (!(error instanceof PuppetError)) throw error
  return { ...javaError('java.lang.IllegalArgumentException', error.message), status: 400 }
}

/** Something that is not there. */
class Missing {
  readonly error: JolokiaAnswer

  constructor(type: string, message: string) {
    this.error = { ...javaError(`javax.management.${type}`, message), status: 404 }
  }
}

function javaError(type: string, message: string): Readonly<Record<string, unknown>> {
  return { error_type: type, error: `${type} : ${message}` }
}

/** Nothing is done or changed here, whoever asks. */
function forbidden(request: JolokiaRequest): JolokiaAnswer {
  const { type, mbean, operation, attribute } = request
  const what = type === 'exec' ? `Operation ${operation}` : `Writing attribute ${attribute}`
  return { request, ...javaError('java.lang.Exception', `${what} forbidden for MBean ${mbean}`), status: 403 }
}

function answerValue(request: JolokiaRequest, sources: JolokiaSources): unknown {
  const { type, mbean = '', path = '' } = request
  if (type === 'version')
    return { ...jolokia, config: {}, info: { product: 'plumbline', vendor: 'plumbline', version: sources.version } }
  if (type === 'list') return within(listOf(sources.beans()), partsOf(path), {})
  const name = parseObjectName(mbean)
  const found = beansOf(name, sources.beans())
  if (type === 'search') return found.map((each) => nameText(each.name))
  return isPattern(name) ? readAll(request, found) : readOne(request, found[0])
}

function beansOf(name: ObjectName, beans: readonly MBean[]): readonly MBean[] {
  return beans.filter((each) => matchesName(name, each.name))
}

async function readOne({ mbean, attribute, path }: JolokiaRequest, found: MBean | undefined): Promise<unknown> {
  if (!found) return new Missing('InstanceNotFoundException', mbean!)
  const all = withName(found, await found.read())
  if (typeof attribute === 'string') {
    if (!Object.hasOwn(all, attribute))
      return new Missing('AttributeNotFoundException', `No such attribute: ${attribute}`)
    return within(all[attribute], partsOf(path ?? ''), null)
  }
  const unknown = attribute?.find((each) => !Object.hasOwn(all, each))
  if (unknown !== undefined) return new Missing('AttributeNotFoundException', `No such attribute: ${unknown}`)
  return chosen(all, attribute)
}

async function readAll({ mbean, attribute }: JolokiaRequest, found: readonly MBean[]): Promise<unknown> {
  if (found.length === 0)
    return new Missing('InstanceNotFoundException', `No MBean with pattern ${mbean} found for reading attributes`)
  const wanted = typeof attribute === 'string' ? [attribute] : attribute
  const rows: [string, Attributes][] = []
  for (const each of found) {
    const values = chosen(withName(each, await each.read()), wanted)
    if (Object.keys(values).length > 0) rows.push([nameText(each.name), values])
  }
  return Object.fromEntries(rows)
}

function chosen(all: Attributes, wanted: readonly string[] | undefined): Attributes {
  if (!wanted) return all
  return Object.fromEntries(wanted.flatMap((name) => (Object.hasOwn(all, name) ? [[name, all[name]]] : [])))
}

/** Java's own beans name themselves. */
function withName({ name }: MBean, attributes: Attributes): Attributes {
  return name.domain === 'java.lang' ? { ...attributes, ObjectName: { objectName: nameText(name) } } : attributes
}

/** All beans by domain and properties, each described. */
function listOf(beans: readonly MBean[]): Readonly<Record<string, Record<string, object>>> {
  const domains: Record<string, Record<string, object>> = {}
  for (const { name, types, class: javaClass } of beans) {
    const attr = Object.fromEntries(
      Object.entries(types).map(([each, type]) => [each, { rw: false, type, desc: each }]),
    )
    domains[name.domain] ??= {}
    domains[name.domain]![propertyText(name)] = { attr, class: javaClass, desc: '' }
  }
  return domains
}

/** The part of a value at the end of a way. */
function within(value: unknown, way: readonly string[], otherwise: unknown): unknown {
  let at = value
  for (const step of way) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return otherwise
    at = (at as Readonly<Record<string, unknown>>)[step]
  }
  return at
}
