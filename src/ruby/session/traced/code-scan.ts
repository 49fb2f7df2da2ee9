import type { Json } from '../../../base/json/json-checks.ts'
import { deniedMethods } from './stateless-methods.ts'

/** Names of the enclosing modules, outermost first. `Puppet::Parser` is a single module with two names. */
type Nesting = readonly (readonly string[])[]

/** A reference to a constant: the enclosing modules, and the names in its path. */
export interface NamedConstant {
  readonly nesting: Nesting
  readonly path: readonly string[]
  /**
   * True if the reference is in code that runs during calls; false if it is only in code that runs while the file
   * is loaded.
   */
  readonly isCalled: boolean
}

/** The properties of a Ruby file or template that decide if its calls can be cached. */
export interface CodeScan {
  readonly constants: readonly NamedConstant[]
  /** Names of the called methods. `defines` has the names of the defined methods. */
  readonly calls: ReadonlySet<string>
  readonly defines: ReadonlySet<string>
  /** Names of the methods that a template defines when it is rendered; other templates may call them. */
  readonly templateMethods: ReadonlySet<string>
  /** Reason in the code why its calls cannot be cached; `undefined` if the code contains none. */
  readonly reason: string | undefined
}

/** Instructions from `RubyVM::InstructionSequence#to_a` as JSON, for a method, block, class body or file. */
type Instructions = readonly Json[]

/** The context in which instructions run. */
interface Place {
  /** True for instructions that run during calls, not only while the file is loaded. */
  readonly isCalled: boolean
  /**
   * Owner of instance variables: an object created by the call (`own`), or an object or class that
   * outlives it.
   */
  readonly self: 'own' | 'lasting' | 'class'
  readonly nesting: Nesting
  /** Number of blocks around the instructions inside the called method or block; `undefined` outside of calls. */
  readonly depth: number | undefined
}

/** Calls whose blocks run while the file is loaded. */
const loading = new Set(['create_function', 'create_loaded_function', 'dispatch', 'local_types', 'argument_mismatch'])
/** Calls that define methods by name while the file is loaded. */
const naming = new Set([
  ...['attr_reader', 'attr_accessor', 'attr_writer', 'new', 'define', 'def_delegator', 'def_delegators'],
  ...['alias_method', 'core#set_method_alias'],
])
/** Calls that accept a method name instead of a block. */
const folding = new Set(['inject', 'reduce'])
/**
 * Numbers of the kinds of `defined?` whose result depends on the loaded files: globals, class variables, constants
 * and methods.
 */
const orderOfLoading = new Set<unknown>([4, 5, 6, 7, 16, 17])
/** Flag of a call instruction with an argument `&block`. */
const blockArgument = 2
/** Global variables that belong to the frame or to the rescued error. */
const ownGlobals = new Set<unknown>(['$!', '$@'])

/** Scans a Ruby file. */
export function scanFile(instructions: Instructions): CodeScan {
  return new Scanner(false).scan(instructions, { isCalled: false, self: 'lasting', nesting: [], depth: undefined })
}

/** Scans a template. The object in which a template runs exists only during one rendering. */
export function scanTemplate(instructions: Instructions): CodeScan {
  return new Scanner(true).scan(instructions, { isCalled: true, self: 'own', nesting: [], depth: 0 })
}

class Scanner {
  readonly #constants: NamedConstant[] = []
  readonly #calls = new Set<string>()
  readonly #defines = new Set<string>()
  readonly #templateMethods = new Set<string>()
  readonly #isTemplate: boolean
  #reason: string | undefined

  constructor(isTemplate: boolean) {
    this.#isTemplate = isTemplate
  }

  scan(instructions: Instructions, place: Place): CodeScan {
    this.#walk(instructions, place)
    const [constants, calls, defines, templateMethods] = [
      this.#constants,
      this.#calls,
      this.#defines,
      this.#templateMethods,
    ]
    return { constants, calls, defines, templateMethods, reason: this.#reason }
  }

  #walk(code: Instructions, place: Place): void {
    for (const entry of toList(code[12])) {
      const [kind, handler] = toList(entry)
      // Only these entries of the table have instructions of their own.
      if ((kind === 'rescue' || kind === 'ensure') && isInstructions(handler)) this.#walk(handler, nestPlace(place))
    }
    let before: readonly Json[] = []
    let operands: string[] = []
    for (const each of toList(code[13])) {
      if (!Array.isArray(each)) continue
      this.#instruction(each, place, before, operands)
      if (findCallInfo(each)) operands = []
      else if (each[0] === 'putobject') operands.push(String(each[1]))
      else if (each[0] === 'duparray') operands.push(...toList(each[1]).map(String))
      before = each
    }
  }

  #instruction(each: readonly Json[], place: Place, before: readonly Json[], operands: readonly string[]): void {
    const [name, first = null, second = null, third = null] = each
    if (name === 'definemethod' || name === 'definesmethod')
      this.#method(name, String(first), second as Instructions, place, before[0] === 'putself')
    else if (name === 'defineclass') this.#class(String(first), second as Instructions, third as number, place, before)
    else if (name === 'opt_getconstant_path')
      this.#constants.push({ nesting: place.nesting, path: toList(first).map(String), isCalled: place.isCalled })
    else if (!this.#keeps(each, place)) this.#operands(each, place, before, operands)
  }

  /** Returns true for an instruction that uses state; records a reason if the state may outlive the call. */
  #keeps([name, first = null, second = null]: readonly Json[], { isCalled, self, depth }: Place): boolean {
    const level = getVariableLevel(name, second)
    if (level !== undefined) this.#because(level > (depth ?? level), 'captures variables of the surrounding code')
    else if (/^[gs]etglobal$/.test(String(name)))
      this.#because(isCalled && !(name === 'getglobal' && ownGlobals.has(first)), `has ${first}`)
    else if (/^[gs]etclassvariable$/.test(String(name))) this.#because(isCalled, `has ${first}`)
    else if (/^[gs]etinstancevariable$/.test(String(name))) this.#because(isCalled && self !== 'own', `keeps ${first}`)
    else if (name === 'defined')
      this.#because(isCalled && orderOfLoading.has(first), 'checks whether a constant or method is defined')
    else if (name === 'getconstant') this.#because(isCalled, `computes the name of ${first}`)
    else return false
    return true
  }

  #because(is: boolean, reason: string): void {
    if (is) this.#reason ??= reason
  }

  /**
   * Handles a method definition; `def self.NAME` on an object created by the call disappears with
   * the object.
   */
  #method(kind: string, name: string, code: Instructions, place: Place, isOfSelf: boolean): void {
    const isOwn = kind === 'definesmethod' && isOfSelf && place.isCalled && place.self === 'own'
    if (this.#isTemplate && kind === 'definemethod' && place.self === 'own' && place.depth === 0)
      this.#templateMethods.add(name)
    else this.#because(place.isCalled && !isOwn, 'defines methods')
    this.#defines.add(name)
    const isLasting = kind === 'definesmethod' ? !isOwn : place.self === 'class'
    const self = isLasting ? 'lasting' : place.self
    this.#walk(code, { isCalled: true, self, nesting: place.nesting, depth: 0 })
  }

  /**
   * Handles a class definition. In `flags`, 0 is a class, 1 a singleton class, 2 a module; 8 is
   * added for a scoped name.
   */
  #class(name: string, code: Instructions, flags: number, place: Place, before: readonly Json[]): void {
    this.#because(place.isCalled, 'defines classes')
    const kind = flags & 7
    const above = (flags & 8) !== 0 && before[0] === 'opt_getconstant_path' ? toList(before[1]).map(String) : []
    const nesting = kind === 1 ? place.nesting : [...place.nesting, [...above, name]]
    const self = kind === 0 ? 'own' : kind === 1 ? 'class' : 'lasting'
    this.#walk(code, { isCalled: false, self, nesting, depth: undefined })
  }

  #operands(each: readonly Json[], place: Place, before: readonly Json[], operands: readonly string[]): void {
    // `/#{…}/o` keeps the value of its first evaluation.
    this.#because(place.isCalled && each[0] === 'once', 'memoizes a value')
    const call = findCallInfo(each)
    if (call) this.#call(call, place, before, operands, each.some(isInstructions))
    for (const operand of each) if (isInstructions(operand)) this.#walk(operand, getBlockPlace(call?.mid, place))
  }

  #call(
    { mid, flag }: Call,
    place: Place,
    before: readonly Json[],
    operands: readonly string[],
    hasBlock: boolean,
  ): void {
    if (!place.isCalled) {
      if (naming.has(mid)) for (const name of operands) this.#defines.add(name)
      this.#because(place.self === 'class' && /^attr(?:_writer|_accessor)?$/.test(mid), 'stores values in a class')
      this.#because(/^define_(?:singleton_)?method$|_variable_set$/.test(mid), `uses ${mid}`)
      return
    }
    this.#calls.add(mid)
    const isNamed = (flag & blockArgument) !== 0 || (folding.has(mid) && !hasBlock)
    if (!isNamed) return
    const [kind, name] = before
    if (kind === 'putobject') this.#because(deniedMethods.has(String(name)), `calls ${name}`)
    else if (!/^get(?:local|blockparam)/.test(String(kind))) this.#because(true, 'calls a method by a computed name')
  }
}

interface Call {
  readonly mid: string
  readonly flag: number
}

function findCallInfo(each: readonly Json[]): Call | undefined {
  const data = each.find((operand) => typeof operand === 'object' && operand !== null && !Array.isArray(operand))
  const { mid, flag } = (data ?? {}) as { readonly mid?: Json; readonly flag?: Json }
  return typeof mid === 'string' ? { mid, flag: Number(flag) } : undefined
}

function isInstructions(value: Json | undefined): value is Instructions {
  return Array.isArray(value) && value[0] === 'YARVInstructionSequence/SimpleDataFormat'
}

function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/**
 * Returns the number of blocks between an instruction and the definition of the local variable that it accesses;
 * `undefined` for other instructions.
 */
function getVariableLevel(name: Json | undefined, second: Json): number | undefined {
  const [, suffix] = /^[gs]et(?:local|blockparam(?:proxy)?)(_WC_[01])?$/.exec(String(name)) ?? ['none', 'none']
  if (suffix === 'none') return undefined
  return suffix === undefined ? (second as number) : Number(suffix.at(-1))
}

function nestPlace(place: Place): Place {
  return place.depth === undefined ? place : { ...place, depth: place.depth + 1 }
}

function getBlockPlace(mid: string | undefined, place: Place): Place {
  const { isCalled, nesting, self } = place
  if (isCalled) return nestPlace(place)
  if (mid !== undefined && loading.has(mid))
    return { isCalled, self: mid.startsWith('create') ? 'lasting' : self, nesting, depth: undefined }
  if (mid === 'new' || mid === 'define') return { isCalled, self: 'own', nesting, depth: undefined }
  return { isCalled: true, self: 'lasting', nesting, depth: 0 }
}
