import type { Json } from '../../../base/json/json-checks.ts'
import type { PlainValue } from '../attribute-kinds.ts'
import { failWithMessage } from '../issues.ts'
import type { AnyProvider, PropertyValues, ProviderDefinition, ProviderWork } from '../provider.ts'
import type { NativeTypeDefinition } from '../type.ts'
import { createLineLogger, type GeneratedDescription, type RubyOwner, type RubyPart } from './ruby-protocol.ts'
import type { RubyTypeShape } from './type-shape.ts'

/** The result of Ruby's comparison of a property. */
interface PropertyComparison {
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
  readonly compared: Map<string, PropertyComparison>
  /** Message of the last change of a property. */
  changeText: string | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: the attributes are those of some type of Ruby's
type AnyAttributes = any
type RubyWork = ProviderWork<AnyAttributes, RubyState>
type RubyDefinition = ProviderDefinition<AnyAttributes, RubyState>

/** Options of a Ruby type's provider, which calls the Ruby thread. */
export interface RubyProviderOptions {
  readonly type: NativeTypeDefinition
  readonly shape: RubyTypeShape
  readonly name: string
  readonly prefetches: boolean
}

/** Creates the provider with this name for the transaction. */
export function createRubyProvider(
  resources: RubyOwner,
  { type, shape, name, prefetches }: RubyProviderOptions,
): AnyProvider {
  const ask = (work: RubyWork, operation: string, ...args: Json[]): Promise<Json> => {
    const part = resources.getPart(work.resource)
    return callRuby(resources, part, work, operation, [part.id, ...args])
  }
  const compare = async (work: RubyWork, property: string) => {
    if (!work.state.compared.has(property)) storeComparisons(work, (await ask(work, 'compare', property)) as never)
    return work.state.compared.get(property)
  }
  return {
    name,
    type,
    doc: '',
    begin: createState,
    async read(work) {
      const looked = (await ask(work, 'look')) as unknown as {
        seen: PropertyValues
        compared: readonly PropertyComparison[]
        present: boolean
      }
      work.state.compared.clear()
      storeComparisons(work, looked.compared)
      return looked.seen
    },
    ...createPropertyFunctions(shape, ask, compare),
    flush: async (work) => void (await ask(work, 'flush')),
    invalidatesRefreshes: shape.needless,
    ...(prefetches ? { prefetch: createPrefetcher(resources, type, name) } : {}),
    ...createGenerators(resources, shape, ask),
  } satisfies RubyDefinition
}

type Ask = (work: RubyWork, operation: string, ...args: Json[]) => Promise<Json>

function createState(): RubyState {
  return { compared: new Map(), changeText: undefined }
}

/** Calls an operation of the Ruby thread for a resource. Throws Ruby's error. */
async function callRuby(
  resources: RubyOwner,
  part: RubyPart,
  work: RubyWork,
  operation: string,
  args: readonly Json[],
): Promise<Json> {
  const log = createLineLogger(part, work.log, work.logAs)
  try {
    return await resources.ruby.call(operation, args, log)
  } catch (error) {
    return failWithMessage(work.resource.withoutSecrets((error as Error).message))
  }
}

/** Stores the comparisons. A property out of sync gets its desired value from Ruby. */
function storeComparisons({ state, resource }: RubyWork, compared: readonly PropertyComparison[]): void {
  for (const each of compared) {
    state.compared.set(each.name, each)
    if (!each.in_sync && each.should !== undefined && each.should !== null)
      resource.put(each.name, each.should as PlainValue)
  }
}

function createPropertyFunctions(
  { properties }: RubyTypeShape,
  ask: Ask,
  compare: (work: RubyWork, property: string) => Promise<PropertyComparison | undefined>,
): Pick<RubyDefinition, 'inSync' | 'set' | 'changeText' | 'show' | 'eventNames'> {
  const mapProperties = <Entry>(entry: (property: string) => Entry) =>
    Object.fromEntries(properties.map((property) => [property, entry(property)]))
  return {
    inSync: mapProperties((property) => async (work: RubyWork) => {
      const compared = await compare(work, property)
      if (compared?.error !== undefined) failWithMessage(work.resource.withoutSecrets(compared.error))
      return compared?.in_sync !== false
    }),
    set: mapProperties((property) => async (work: RubyWork) => {
      work.state.changeText = undefined
      const { text } = (await ask(work, 'sync', property)) as { text: string | null }
      work.state.changeText = text === null ? undefined : work.resource.withoutSecrets(text)
    }),
    changeText: mapProperties(
      () =>
        ({ state }: RubyWork) =>
          state.changeText,
    ),
    show: mapProperties((property) => ({ state }: RubyWork, _value: unknown, isWanted: boolean) => {
      const compared = state.compared.get(property)
      return isWanted ? compared?.should_text : compared?.is_text
    }),
    eventNames: mapProperties(
      (property) => (_should: unknown, work: RubyWork) => work.state.compared.get(property)?.event || undefined,
    ),
  }
}

function createPrefetcher(resources: RubyOwner, type: NativeTypeDefinition, name: string): AnyProvider['prefetch'] {
  return async (_services, _resources, log) => {
    const logLine = ({ level, message }: { level: string; message: string }) => log(level as never, message)
    await resources.ruby.call('prefetch', [type.name, name], logLine)
    return createState
  }
}

function createGenerators(
  resources: RubyOwner,
  { methods }: RubyTypeShape,
  ask: Ask,
): Pick<RubyDefinition, 'refresh' | 'generate' | 'children'> {
  const generate = (operation: string) => async (work: RubyWork) => {
    const described = (await ask(work, operation)) as unknown as readonly GeneratedDescription[]
    return resources.generated(described, resources.getPart(work.resource))
  }
  return {
    ...(methods.includes('refresh') ? { refresh: async (work: RubyWork) => void (await ask(work, 'refresh')) } : {}),
    ...(methods.includes('generate') ? { generate: generate('generate') } : {}),
    ...(methods.includes('eval_generate') ? { children: generate('eval_generate') } : {}),
  }
}
