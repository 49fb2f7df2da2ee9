import type { Callable } from '../../values/callable.ts'
import * as arrays from './arrays.ts'
import * as catalog from './catalog.ts'
import { deprecatedChecks, isDomainNameCheck, isEmailAddressCheck, isHash, isInteger, isMacAddress } from './checks.ts'
import * as conversions from './conversions.ts'
import * as data from './data.ts'
import { deprecation, deprecation9 } from './deprecation.ts'
import * as hashes from './hashes.ts'
import * as others from './miscellaneous.ts'
import * as network from './network.ts'
import * as random from './random.ts'
import { range } from './range.ts'
import { defineMovedFunction } from './renamed-functions.ts'
import * as strings from './strings.ts'
import { validateLegacy, validateLegacy9 } from './validate-legacy.ts'
import { validateFunctions, validateNames } from './validators.ts'

/** All exports of these files, each of which is a function or an array of functions. */
const functions: readonly Callable[] = [
  arrays,
  conversions,
  others,
  strings,
  catalog,
  data,
  hashes,
  network,
  random,
  { range, validateLegacy, deprecation, isDomainNameCheck, isEmailAddressCheck, isHash, isInteger, isMacAddress },
  [...deprecatedChecks, ...validateFunctions, ...validateNames],
].flatMap((group) => Object.values<Callable | readonly Callable[]>(group).flat())

const current: ReadonlyMap<string, Callable> = new Map(functions.map((each) => [each.name, each]))

/** Functions that stdlib 9 moved to its own namespace. The old names warn, then call the new functions. */
const movedNames = [
  'batch_escape',
  'ensure_packages',
  'fqdn_rand_string',
  'fqdn_rotate',
  'has_interface_with',
  'merge',
  'os_version_gte',
  'powershell_escape',
  'seeded_rand',
  'seeded_rand_string',
  'shell_escape',
  'to_json',
  'to_json_pretty',
  'type_of',
] as const

/** Functions that behave differently in stdlib 9. Their keys are the name with suffix `9`. */
const since9: readonly (readonly [string, Callable])[] = [
  ...movedNames.map((name) => [`${name} 9`, defineMovedFunction(name, current.get(`stdlib::${name}`)!)] as const),
  ['deprecation 9', deprecation9],
  ['validate_legacy 9', validateLegacy9],
]

/**
 * Native functions of stdlib by name. If a function differs between versions of stdlib, the key of the newer variant
 * ends in the version.
 */
export const stdlibFunctions: ReadonlyMap<string, Callable> = new Map([...current, ...since9])
