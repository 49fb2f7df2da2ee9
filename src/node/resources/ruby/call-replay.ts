import type { Json } from '../../../base/json/json-checks.ts'
import type { RubyCalls } from './ruby-protocol.ts'

/** Operations that give Ruby its data about types and resources. */
const telling: readonly string[] = ['types', 'declare', 'settle', 'prefetch']

/**
 * Wraps calls so that a crash of the WebAssembly machine of Ruby fails only one call: the data
 * about types and resources is sent to the next machine again, without logging. Resources generated
 * by other resources are lost and fail.
 */
export function createReplayingCalls(ruby: RubyCalls): RubyCalls {
  const told: (readonly [operation: string, args: readonly Json[]])[] = []
  return {
    async call(operation, args, log) {
      try {
        const value = await ruby.call(operation, args, log)
        if (telling.includes(operation)) told.push([operation, args])
        return value
      } catch (error) {
        if (isCrash(error)) await replay(ruby, told)
        throw error
      }
    },
  }
}

async function replay(ruby: RubyCalls, told: readonly (readonly [string, readonly Json[]])[]): Promise<void> {
  for (const [operation, args] of told) {
    // An error in a repeated call appears when its resource is evaluated.
    await ruby.call(operation, args, () => {}).catch(() => undefined)
  }
}

function isCrash(error: unknown): boolean {
  return (error as { readonly isCrash?: boolean }).isCrash === true
}
