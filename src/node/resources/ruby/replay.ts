import type { Json } from '../../../base/json/wire.ts'
import type { RubyCalls } from './ruby-part.ts'

/** Operations that tell Ruby what the others are about. */
const telling: readonly string[] = ['types', 'declare', 'settle', 'prefetch']

/**
 * Calls of which one that ends Ruby's machine fails alone: the next machine is told all that the last one knew, in
 * silence. Resources that others generated it does not know; they fail.
 */
export function replayedAfterCrashes(ruby: RubyCalls): RubyCalls {
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
    // What goes wrong now is seen by whoever needs it.
    await ruby.call(operation, args, () => {}).catch(() => undefined)
  }
}

function isCrash(error: unknown): boolean {
  return (error as { readonly isCrash?: boolean }).isCrash === true
}
