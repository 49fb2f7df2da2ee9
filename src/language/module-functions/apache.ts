import { defineFunction } from '../functions/definition/define-function.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import type { Value } from '../values/value.ts'

/**
 * `apache::bool2httpd`: returns `On` or `Off`, also for strings that contain true or false; other values become text.
 */
export const bool2httpd = defineFunction(
  'apache::bool2httpd',
  "Converts a Boolean or its string form to Apache's `On` or `Off`.",
  {
    'Any $arg': (value: Value) => {
      const hasMatch = (pattern: RegExp): boolean => typeof value === 'string' && pattern.test(value)
      if (value === undefined || value === false || hasMatch(/false/i)) return 'Off'
      return value === true || hasMatch(/true/i) ? 'On' : formatAsString(value)
    },
  },
)
