import type { Callable } from '../values/callable.ts'
import { annotate } from './annotate.ts'
import { contain, createResources, defined, include, realize, require, tag, tagged } from './catalog.ts'
import { empty, flattenFunction, join, keys, length, size, sort, unique, values } from './collections.ts'
import { compare } from './compare.ts'
import { breakFunction, call, fail, lest, next, returnFunction, thenFunction, unwrap, withFunction } from './control.ts'
import { digest, md5, sha1, sha256 } from './digests.ts'
import { importFunction } from './discontinued.ts'
import { epp, inlineEpp } from './epp.ts'
import { binaryFile, file, findFile, findTemplate, moduleDirectory } from './files.ts'
import { fqdnRand } from './fqdn-rand.ts'
import { generate } from './generate.ts'
import { groupBy, index, partition, slice } from './grouping.ts'
import { all, any, each, filter, map, reduce } from './iteration.ts'
import { reverseEach, step } from './lazy-iteration.ts'
import { alert, crit, debug, emerg, err, info, notice, warning } from './logging.ts'
import { hiera, hieraArray, hieraHash, hieraInclude, lookup } from './lookup.ts'
import { abs, ceiling, floor, max, min, round } from './math.ts'
import { dig, get, getvar } from './navigation.ts'
import { convertTo, newFunction } from './new.ts'
import { match, regsubst, split } from './regexps.ts'
import { scanf } from './scanf.ts'
import { shellquote } from './shellquote.ts'
import { sprintf } from './sprintf.ts'
import { strftime } from './strftime.ts'
import { camelcase, capitalize, chomp, chop, downcase, lstrip, rstrip, strip, upcase } from './strings.ts'
import { treeEach } from './tree-each.ts'
import { assertType, type } from './types.ts'
import { versioncmp } from './versioncmp.ts'

/** The functions of the language. Their signatures are read when they are first called. */
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

/** Every built-in function, by its name. */
export const builtinFunctions: ReadonlyMap<string, Callable> = new Map(functions.map((each) => [each.name, each]))
