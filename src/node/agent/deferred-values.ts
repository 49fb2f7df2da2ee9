import { throwIssue } from '../../base/issue.ts'
import type { LogLevel } from '../../language/host.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { hasDeferred } from '../../language/values/deferred.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import {
  DeferredEvaluation,
  type DeferredLog,
  type DeferredResult,
  type DeferredScope,
  formatRichData,
  parseRichData,
  RubyNeededError,
} from '../../ruby/node/deferred-evaluation.ts'
import type { NodeRuby } from '../../ruby/node/node-ruby.ts'
import type { Deferrals } from '../resources/deferred-resolution.ts'
import { issues } from '../resources/issues.ts'
import { Secrets } from '../resources/secrets.ts'
import type { Log } from './log.ts'

/** Options for resolving the Deferred values of a catalog. */
export interface DeferralOptions {
  readonly scope: DeferredScope
  /** True to resolve all values before the first resource is evaluated. */
  readonly early: boolean
  readonly log: Log
  /** Returns the run's Ruby, for functions of modules; called only if a value needs it. */
  readonly ruby: () => Promise<NodeRuby>
}

/**
 * Resolvers for Deferred values, called on this node. Each value is resolved when its resource is
 * evaluated, so that its function can read the results of earlier resources; with `early`, all are
 * resolved before the first resource. Values that need no Ruby are resolved in this thread.
 */
export function createDeferrals({ scope, early, log, ruby }: DeferralOptions): Deferrals {
  const evaluation = new DeferredEvaluation(scope)
  const evaluate = async (value: Value): Promise<DeferredResult> => {
    try {
      return evaluation.evaluate(value)
    } catch (error) {
      if (!(error instanceof RubyNeededError)) throw error
      return evaluateInRuby(await ruby(), value, scope)
    }
  }
  return {
    waits: (value) => !early && hasDeferred(value),
    async resolve(value) {
      if (!hasDeferred(value)) return value
      const { value: result, error, sensitive, logs } = await evaluate(value)
      const secrets = new Secrets()
      for (const each of sensitive) secrets.add(each)
      for (const { level, message, source } of logs)
        log[level](secrets.clear(message), source === undefined ? undefined : { source })
      if (error !== undefined) throwIssue(issues.PLAIN, { message: secrets.clear(formatError(error)) })
      // The result can contain a secret that a function has unwrapped, such as a password in a text.
      return sensitive.length === 0 || result instanceof Sensitive ? result : new Sensitive(result)
    },
  }
}

async function evaluateInRuby(ruby: NodeRuby, value: Value, scope: DeferredScope): Promise<DeferredResult> {
  const { value: result, error, sensitive, logs } = await ruby.resolveDeferred(formatRichData(value), scope)
  return {
    ...(error === undefined ? { value: parseRichData(result ?? 'null') } : { error }),
    sensitive: parseRichData(sensitive) as readonly Sensitive[],
    logs: logs.map(
      ({ level, message, source }): DeferredLog => ({ level: level as LogLevel, message, source: source ?? 'Puppet' }),
    ),
  }
}
