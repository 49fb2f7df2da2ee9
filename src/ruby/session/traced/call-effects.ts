import type { Json } from '../../../base/json/json-checks.ts'
import type { LogLevel } from '../../../language/host.ts'
import type { EffectKinds } from '../../trace/trace-question.ts'
import type { Asker } from './trace-questions.ts'

/** Side effects of a Ruby call; a recalled call repeats them. */
export const effects: EffectKinds<Asker> = {
  log: {
    possible: () => true,
    again({ session, context }, [level, message]) {
      session.host.log(level as LogLevel, String(message), context.scope, context.span)
    },
  },

  /** Sets a variable in the call's scope. Ruby receives the value before it next runs in that scope. */
  set: {
    possible: ({ session, scope }, [name]) => !session.isNested && session.isSettable(scope, String(name)),
    again(asker, [name, value = null]) {
      asker.session.setAhead(asker.scope, String(name), value)
      asker.makeLater()
    },
  },

  /** Defines methods that later templates may call. Ruby defines them before it next runs. */
  define: {
    possible: ({ session }) => !session.isNested,
    again(asker) {
      asker.makeLater({ everywhere: true })
    },
  },

  /** Modifies an array or hash of a manifest in place. */
  changed: {
    possible: ({ session }) => !session.isNested,
    again({ session, scope }, args) {
      session.answerAgain('changed', [scope, ...args])
    },
  },

  /** Caches a value in the call's lookup context. */
  cache: {
    possible: ({ lookup }) => lookup !== undefined,
    again({ lookup }, [key = null, value = null]) {
      lookup!.cache.keepLate(key, value)
    },
  },
}

/** Returns true for JSON from Ruby that contains blocks or objects. Their numbers are valid for one catalog only. */
export function hasObjectNumbers(value: Json): boolean {
  if (!Array.isArray(value)) return false
  const tag = value[0]
  if (tag === 'p' || tag === 'x' || tag === 'o' || tag === 'c' || tag === 'lc') return true
  return (tag === 'l' || tag === 'h' || tag === 's' || tag === '&') && value.some(hasObjectNumbers)
}

/** The default format of `inspect`, with an object's address. */
const address = /#<[A-Z][\w:]*:0x[0-9a-f]/

/** Returns true for JSON from Ruby that contains the address of an object. */
export function hasObjectAddress(value: Json): boolean {
  return address.test(JSON.stringify(value))
}
