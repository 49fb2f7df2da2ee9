import { recordedAnswers } from '../../../support/recorded-answers.ts'
import { commandSituations } from './command-situations.ts'

const local = (...words: readonly string[]) => ['filebucket', ...words, '--local', '--bucket', '@/bucket']
const two = "printf 'one\\n' > @/a; printf 'two\\n' > @/b; rm -rf @/none"
const sumA = '2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806'
const sumB = '27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a'
const kept = [two, local('backup', '@/a', '@/b')]
// The paths in the bucket differ in nothing but the times that `list` shows.
const away = 'rm -rf @/bucket'

commandSituations(recordedAnswers(import.meta.filename, 'Puppet 7.23.0'), 'filebucket', {
  'backup of two files': [...kept, away],
  'backup twice': [...kept, local('backup', '@/a'), away],
  'backup of a file that is missing': [two, local('backup', '@/none'), away],
  'backup of one that is missing and one that is there': [two, local('backup', '@/none', '@/a'), away],
  'backup without a file': [two, local('backup'), away],
  'backup of an empty file': [': > @/e', local('backup', '@/e'), away],
  'get by sum': [...kept, local('get', sumA), away],
  'get by a sum with its type': [...kept, local('get', `{sha256}${sumA}`), away],
  'get by a sum that is missing': [...kept, local('get', sumA.replace('2c', '00')), away],
  'get by a sum that is short': [...kept, local('get', '2c8b'), away],
  'get by a sum in capitals': [...kept, local('get', sumA.toUpperCase()), away],
  restore: [...kept, local('restore', '@/a', sumB), away],
  'restore of a file that is missing': [...kept, local('restore', '@/new', sumA), away],
  'restore by a sum that is missing': [...kept, local('restore', '@/a', sumA.replace('2c', '00')), away],
  'restore of what is the same': [...kept, local('restore', '@/a', sumA), away],
  'diff of two sums': [...kept, local('diff', sumA, sumB), away],
  'diff of a sum and a file': [...kept, local('diff', sumA, '@/b'), away],
  'diff of a file and a sum': [...kept, local('diff', '@/a', sumB), away],
  'diff of two files': [...kept, local('diff', '@/a', '@/b'), away],
  'diff of the same': [...kept, local('diff', sumA, '@/a'), away],
  list: [...kept, local('list'), away],
  'list of an empty bucket': [two, local('list'), away],
  'list before and after a time': [...kept, local('list', '--fromdate', '2001-01-01', '--todate', '2002-01-01'), away],
  'a bucket in md5': [two, [...local('backup', '@/a'), '--digest_algorithm', 'md5'], away],
  'a bucket in sha512': [two, [...local('backup', '@/a'), '--digest_algorithm', 'sha512'], away],
})
