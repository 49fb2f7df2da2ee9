import type { Callable } from '../values/callable.ts'
import { annotate } from './annotate.ts'
import { contain, createResources, defined, include, realize, require, tag, tagged } from './catalog.ts'
import { empty, flattenFunction, join, keys, length, size, sort, unique, values } from './collections/collections.ts'
import { groupBy, index, partition, slice } from './collections/grouping.ts'
import { all, any, each, filter, map, reduce } from './collections/iteration-functions.ts'
import { reverseEach, step } from './collections/lazy-iteration.ts'
import { dig, get, getvar } from './collections/navigation.ts'
import { treeEach } from './collections/tree-each.ts'
import { compare } from './compare.ts'
import {
  breakFunction,
  call,
  fail,
  lest,
  next,
  returnFunction,
  thenFunction,
  unwrap,
  withFunction,
} from './control-flow.ts'
import { digest, md5, sha1, sha256 } from './digests.ts'
import { epp, inlineEpp } from './epp.ts'
import { binaryFile, file, findFile, findTemplate, moduleDirectory } from './files.ts'
import { fqdnRand } from './fqdn-rand.ts'
import { generate } from './generate.ts'
import { importFunction } from './import.ts'
import { alert, crit, debug, emerg, err, info, notice, warning } from './logging.ts'
import { hiera, hieraArray, hieraHash, hieraInclude, lookup } from './lookup.ts'
import { abs, ceiling, floor, max, min, round } from './math.ts'
import { convertTo, newFunction } from './new.ts'
import { match, regsubst, split } from './text/regexps.ts'
import { scanf } from './text/scanf.ts'
import { shellquote } from './text/shellquote.ts'
import { sprintf } from './text/sprintf.ts'
import { strftime } from './text/strftime.ts'
import { camelcase, capitalize, chomp, chop, downcase, lstrip, rstrip, strip, upcase } from './text/strings.ts'
import { versioncmp } from './text/versioncmp.ts'
import { assertType, type } from './types.ts'

/** All built-in functions. Their signatures are parsed on the first call. */
const functions: readonly Callable[] = [
  abs,
  alert,
  all,
  annotate,
  any,
  assertType,
  binaryFile,
  breakFunction,
  call,
  camelcase,
  capitalize,
  ceiling,
  chomp,
  chop,
  compare,
  contain,
  convertTo,
  createResources,
  crit,
  debug,
  defined,
  dig,
  digest,
  downcase,
  each,
  emerg,
  empty,
  epp,
  err,
  fail,
  file,
  filter,
  findFile,
  findTemplate,
  flattenFunction,
  floor,
  fqdnRand,
  generate,
  get,
  getvar,
  groupBy,
  hiera,
  hieraArray,
  hieraHash,
  hieraInclude,
  importFunction,
  include,
  index,
  info,
  inlineEpp,
  join,
  keys,
  length,
  lest,
  lookup,
  lstrip,
  map,
  match,
  max,
  md5,
  min,
  moduleDirectory,
  next,
  newFunction,
  notice,
  partition,
  realize,
  reduce,
  regsubst,
  require,
  returnFunction,
  reverseEach,
  round,
  rstrip,
  scanf,
  sha1,
  sha256,
  shellquote,
  size,
  slice,
  sort,
  split,
  sprintf,
  step,
  strftime,
  strip,
  tag,
  tagged,
  thenFunction,
  treeEach,
  type,
  unique,
  unwrap,
  upcase,
  values,
  versioncmp,
  warning,
  withFunction,
]

/** All built-in functions by name. */
export const builtinFunctions: ReadonlyMap<string, Callable> = new Map(functions.map((each) => [each.name, each]))
