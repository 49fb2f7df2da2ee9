import type { Json } from '../../base/json/json-checks.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import type { EvaluationHost } from '../../language/host.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { createTemplateFunctions } from '../erb-templates.ts'
import { LegacyRubyFunction, RubyFunction } from '../session/ruby-functions.ts'
import { RubySession } from '../session/session.ts'
import type { Surroundings } from '../session/surroundings.ts'
import {
  DeferredEvaluation,
  type DeferredScope,
  formatRichData,
  parseRichData,
  type RubyFunctions,
} from './deferred-evaluation.ts'
import { findLegacyFunctionFile, listModules } from './function-files.ts'
import type { NodeAnswer, NodeMachine } from './node-machine.ts'
import { createVaultLookup, createVaultSender } from './vault-lookup.ts'

/** The result of a Deferred value or its error, with texts of rich data. */
export interface DeferredReply {
  readonly value?: string
  readonly error?: string
  /** Sensitive arguments and results. */
  readonly sensitive: string
}

/** Functions of modules on a node, for Deferred values, in the thread of a NodeMachine. */
export class DeferredFunctions {
  readonly #machine: NodeMachine
  readonly #evaluation: DeferredEvaluation

  constructor(machine: NodeMachine, scope: DeferredScope) {
    this.#machine = machine
    this.#evaluation = new DeferredEvaluation(scope, (host, top) => createRubyFunctions(machine, scope, host, top))
  }

  /** Resolves a value. The answer's value is a DeferredReply. */
  evaluate(text: string): NodeAnswer {
    return this.#machine.run(() => {
      const { value, error, sensitive, logs } = this.#evaluation.evaluate(parseRichData(text))
      this.#machine.log(logs.map(({ level, message }) => [level, message]))
      const reply: DeferredReply = {
        ...(error === undefined ? { value: formatRichData(value) } : { error: formatError(error) }),
        sensitive: formatRichData(sensitive),
      }
      return reply as unknown as Json
    })
  }
}

function createRubyFunctions(
  machine: NodeMachine,
  scope: DeferredScope,
  host: EvaluationHost,
  top: Scope,
): RubyFunctions {
  const surroundings = createSurroundings(machine, scope)
  const session = new RubySession(() => machine.machine, host, top, surroundings, {})
  return {
    templates: createTemplateFunctions(session),
    vaultLookup: createVaultLookup(createVaultSender(scope.vaultScript, scope.settings)),
    create: (name, { kind, path }) =>
      kind === 'ruby' ? new RubyFunction(session, name, path) : new LegacyRubyFunction(session, name, path),
  }
}

/** The surroundings of Ruby functions on a node, which has no catalog in progress and no recorded inputs. */
function createSurroundings(machine: NodeMachine, { environment, loadPath, modulepath }: DeferredScope): Surroundings {
  return {
    environment,
    debug: machine.debug,
    modulepath,
    loadPath,
    moduleNames: listModules(modulepath),
    rubyDigest: '',
    // `changed` asks a node for an attribute of a resource, and a session for a variable.
    answer: (name, args) => (name === 'changed' ? undefined : machine.answer(name, args)),
    legacyFunction: (name) => findLegacyFunctionFile(name, loadPath),
    typeFile: () => undefined,
    hasProviders: () => false,
    builtinType: () => undefined,
    catalogContents: () => ({ classes: [], tags: [], resources: [] }),
    resourceDefaults: () => [],
    resourceParameters: () => undefined,
    pathAnswer: () => 'directory',
    folderAnswer: () => '',
    codeAt: () => undefined,
    saw() {},
    get time() {
      return Date.now() / 1000
    },
    replaceValue() {},
  }
}
