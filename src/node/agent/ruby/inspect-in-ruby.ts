import type { Json } from '../../../base/json/wire.ts'
import type { NodeMachineOptions } from '../../../ruby/node/node-machine.ts'
import { NodeRuby } from '../../../ruby/node/node-ruby.ts'
import { type RubyTypeShape, typeOfShape } from '../../resources/ruby/shape.ts'
import type { GivenValues, TypeDefinition } from '../../resources/type.ts'
import type { Log } from '../log.ts'
import { linesTo, withBuiltinTypes } from './ruby-run.ts'

/** A thing of this machine, of a type of Ruby's. */
export interface ShownThing {
  readonly title: string
  /** As the language has it. */
  readonly manifest: string
  readonly values: Readonly<Record<string, Json>>
}

/** The things of one of Ruby's types, on this machine. */
export class RubyInspection {
  readonly #ruby: NodeRuby
  readonly type: TypeDefinition

  private constructor(ruby: NodeRuby, type: TypeDefinition) {
    this.#ruby = ruby
    this.type = type
  }

  /** `undefined` where nobody defines the type; throws, in Ruby's words, where it cannot be loaded. */
  static async open(name: string, options: NodeMachineOptions, log: Log): Promise<RubyInspection | undefined> {
    const ruby = new NodeRuby(withBuiltinTypes(options), linesTo(log))
    const [shape] = (await ruby.call('types', [[name]])) as unknown as readonly RubyTypeShape[]
    if (shape?.error === undefined && shape) return new RubyInspection(ruby, typeOfShape(shape, {}))
    await ruby.close()
    if (typeof shape?.error === 'string') throw new Error(shape.error)
    return undefined
  }

  /** All that the providers list, by title. */
  async all(): Promise<readonly ShownThing[]> {
    return (await this.#ruby.call('inspect_all', [this.type.name, []])) as unknown as readonly ShownThing[]
  }

  /** The one of a name, whether it is there or not. */
  async one(title: string): Promise<ShownThing> {
    return (await this.#ruby.call('inspect_one', [this.type.name, title, []])) as unknown as ShownThing
  }

  /** One that was just managed with these attributes. */
  async managed(title: string, given: GivenValues): Promise<ShownThing> {
    const args = [this.type.name, title, Object.fromEntries(given) as Record<string, Json>]
    return (await this.#ruby.call('inspect_managed', args)) as unknown as ShownThing
  }

  /** Ends the thread, whatever it does. */
  close(): Promise<void> {
    return this.#ruby.close()
  }
}
