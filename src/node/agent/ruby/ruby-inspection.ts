import type { Json } from '../../../base/json/json-checks.ts'
import type { NodeMachineOptions } from '../../../ruby/node/node-machine.ts'
import { NodeRuby } from '../../../ruby/node/node-ruby.ts'
import { createTypeFromShape, type RubyTypeShape } from '../../resources/ruby/type-shape.ts'
import type { DeclaredValues, NativeTypeDefinition } from '../../resources/type.ts'
import type { Log } from '../log.ts'
import { addBuiltinTypes, createLineWriter } from './ruby-run.ts'

/** A resource on this machine whose type is defined in Ruby. */
export interface InspectedResource {
  readonly title: string
  /** The resource in Puppet's language. */
  readonly manifest: string
  readonly values: Readonly<Record<string, Json>>
}

/** Reads the resources of a Ruby type on this machine. */
export class RubyInspection {
  readonly #ruby: NodeRuby
  readonly type: NativeTypeDefinition

  private constructor(ruby: NodeRuby, type: NativeTypeDefinition) {
    this.#ruby = ruby
    this.type = type
  }

  /** Loads a type. Undefined if no Ruby file defines the type; throws Ruby's error if it cannot be loaded. */
  static async open(name: string, options: NodeMachineOptions, log: Log): Promise<RubyInspection | undefined> {
    const ruby = new NodeRuby(addBuiltinTypes(options), createLineWriter(log))
    const [shape] = (await ruby.call('types', [[name]])) as unknown as readonly RubyTypeShape[]
    if (shape?.error === undefined && shape) return new RubyInspection(ruby, createTypeFromShape(shape, {}))
    await ruby.close()
    if (typeof shape?.error === 'string') throw new Error(shape.error)
    return undefined
  }

  /** All resources that the providers list, by title. */
  async all(): Promise<readonly InspectedResource[]> {
    return (await this.#ruby.call('inspect_all', [this.type.name, []])) as unknown as readonly InspectedResource[]
  }

  /** The resource with this title, even if it does not exist. */
  async one(title: string): Promise<InspectedResource> {
    return (await this.#ruby.call('inspect_one', [this.type.name, title, []])) as unknown as InspectedResource
  }

  /** Manages a resource with these attributes. Returns its state afterwards. */
  async managed(title: string, given: DeclaredValues): Promise<InspectedResource> {
    const args = [this.type.name, title, Object.fromEntries(given) as Record<string, Json>]
    return (await this.#ruby.call('inspect_managed', args)) as unknown as InspectedResource
  }

  /** Terminates the Ruby thread, even in the middle of a call. */
  close(): Promise<void> {
    return this.#ruby.close()
  }
}
