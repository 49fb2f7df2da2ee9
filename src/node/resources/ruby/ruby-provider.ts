import type { Json } from '../../../base/json/wire.ts'
import { complain } from '../issues.ts'
import type { Plain } from '../kind.ts'
import type { AnyProvider, ProviderDefinition, Seen, Work } from '../provider.ts'
import type { TypeDefinition } from '../type.ts'
import { type GeneratedDescription, lineTo, type RubyOwner, type RubyPart } from './ruby-part.ts'
import type { RubyTypeShape } from './shape.ts'

/** The result of Ruby's comparison of a property. */
interface Compared {
  readonly name: string
  readonly in_sync: boolean
  readonly error?: string
  readonly should?: Json
  readonly event?: string
  readonly is_text?: string
  readonly should_text?: string
}

/** The state of a resource between calls. */
interface RubyState {
  readonly compared: Map<string, Compared>
  /** Text of the last change. */
  changeText: string | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: the attributes are those of some type of Ruby's
type AnyAttributes = any
type RubyWork = Work<AnyAttributes, RubyState>
type RubyDefinition = ProviderDefinition<AnyAttributes, RubyState>

/** Options of a Ruby type's provider, which calls the Ruby thread. */
export interface RubyProviderOptions {
  readonly type: TypeDefinition
  readonly shape: RubyTypeShape
  readonly name: string
  readonly prefetches: boolean
}

/** Creates the provider with this name for the transaction. */
export function rubyProvider(
  resources: RubyOwner,
  { type, shape, name, prefetches }: RubyProviderOptions,
): AnyProvider {
  const ask = (work: RubyWork, operation: string, ...args: Json[]): Promise<Json> => {
    const part = resources.partOf(work.resource)
    return asked(resources, part, work, operation, [part.id, ...args])
  }
  const compare = async (work: RubyWork, property: string) => {
    if (!work.state.compared.has(property)) remember(work, (await ask(work, 'compare', property)) as never)
    return work.state.compared.get(property)
  }
  return {
    name,
    type,
    doc: '',
    begin: newState,
    async read(work) {
      const looked = (await ask(work, 'look')) as unknown as {
        seen: Seen
        compared: readonly Compared[]
        present: boolean
      }
      work.state.compared.clear()
      remember(work, looked.compared)
      return looked.seen
    },
    ...forEachProperty(shape, ask, compare),
    flush: async (work) => void (await ask(work, 'flush')),
    invalidatesRefreshes: shape.needless,
    ...(prefetches ? { prefetch: prefetcher(resources, type, name) } : {}),
    ...generators(resources, shape, ask),
  } satisfies RubyDefinition
}

type Ask = (work: RubyWork, operation: string, ...args: Json[]) => Promise<Json>

function newState(): RubyState {
  return { compared: new Map(), changeText: undefined }
}

/** Calls Ruby. Throws its error. */
async function asked(
  resources: RubyOwner,
  part: RubyPart,
  work: RubyWork,
  operation: string,
  args: readonly Json[],
): Promise<Json> {
  const log = lineTo(part, work.log, work.logAs)
  try {
    return await resources.ruby.call(operation, args, log)
  } catch (error) {
    return complain(work.resource.withoutSecrets((error as Error).message))
  }
}

/** Stores the comparisons. A property out of sync gets its desired value from Ruby. */
function remember({ state, resource }: RubyWork, compared: readonly Compared[]): void {
  for (const each of compared) {
    state.compared.set(each.name, each)
    if (!each.in_sync && each.should !== undefined && each.should !== null)
      resource.put(each.name, each.should as Plain)
  }
}

function forEachProperty(
  { properties }: RubyTypeShape,
  ask: Ask,
  compare: (work: RubyWork, property: string) => Promise<Compared | undefined>,
): Pick<RubyDefinition, 'inSync' | 'set' | 'changeText' | 'show' | 'eventNames'> {
  const table = <Entry>(entry: (property: string) => Entry) =>
    Object.fromEntries(properties.map((property) => [property, entry(property)]))
  return {
    inSync: table((property) => async (work: RubyWork) => {
      const compared = await compare(work, property)
      if (compared?.error !== undefined) complain(work.resource.withoutSecrets(compared.error))
      return compared?.in_sync !== false
    }),
    set: table((property) => async (work: RubyWork) => {
      work.state.changeText = undefined
      const { text } = (await ask(work, 'sync', property)) as { text: string | null }
      work.state.changeText = text === null ? undefined : work.resource.withoutSecrets(text)
    }),
    changeText: table(
      () =>
        ({ state }: RubyWork) =>
          state.changeText,
    ),
    show: table((property) => ({ state }: RubyWork, _value: unknown, isWanted: boolean) => {
      const compared = state.compared.get(property)
      return isWanted ? compared?.should_text : compared?.is_text
    }),
    eventNames: table(
      (property) => (_should: unknown, work: RubyWork) => work.state.compared.get(property)?.event || undefined,
    ),
  }
}

function prefetcher(resources: RubyOwner, type: TypeDefinition, name: string): AnyProvider['prefetch'] {
  return async (_services, _resources, log) => {
    const lines = ({ level, message }: { level: string; message: string }) => log(level as never, message)
    await resources.ruby.call('prefetch', [type.name, name], lines)
    return newState
  }
}

function generators(
  resources: RubyOwner,
  { methods }: RubyTypeShape,
  ask: Ask,
): Pick<RubyDefinition, 'refresh' | 'generate' | 'children'> {
  const generate = (operation: string) => async (work: RubyWork) => {
    const described = (await ask(work, operation)) as unknown as readonly GeneratedDescription[]
    return resources.generated(described, resources.partOf(work.resource))
  }
  return {
    ...(methods.includes('refresh') ? { refresh: async (work: RubyWork) => void (await ask(work, 'refresh')) } : {}),
    ...(methods.includes('generate') ? { generate: generate('generate') } : {}),
    ...(methods.includes('eval_generate') ? { children: generate('eval_generate') } : {}),
  }
}
