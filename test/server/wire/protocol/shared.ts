import { expect } from 'vitest'
import { puppetVersion } from '../../../../src/base/puppet-version.ts'
import { error, form, jsonType, type Section, textType } from './row.ts'

const e = 'environment=production'
const file = `file_metadata/modules/demo/a.txt?${e}`
const json = { accept: 'application/json' }
const facts = (name: string) => JSON.stringify({ name, values: { kernel: 'Linux' } })
const missingAccept = error('Bad Request: Missing required Accept header', 'MISSING_HEADER_FIELD')
const unreadable = error(
  expect.stringMatching(/^Bad Request: The request body is invalid: Could not intern from json: /),
)

/** Section 1: what all requests share. */
export const shared: readonly Section[] = [
  {
    section: '1.1',
    server: 'byDefault',
    rows: [
      {
        row: 'a client certificate is asked for, not required',
        ...{ request: 'GET /status/v1/simple', as: 'nobody', status: 200, answer: 'running' },
      },
      {
        row: 'every answer below /puppet has X-Puppet-Version',
        ...{ request: `GET ${file}`, status: 200, has: { 'x-puppet-version': puppetVersion } },
      },
      {
        row: 'refusals below /puppet have it, too',
        ...{ request: `GET node/b.test?${e}`, status: 403, has: { 'x-puppet-version': puppetVersion } },
      },
      {
        row: 'every answer below /puppet-ca has it',
        request: 'GET /puppet-ca/v1/certificate/ca',
        ...{ as: 'nobody', status: 200, has: { 'x-puppet-version': puppetVersion } },
      },
      {
        row: '/status has none',
        ...{ request: 'GET /status/v1/simple', status: 200, has: { 'x-puppet-version': undefined } },
      },
      {
        row: '/metrics has none',
        ...{ request: 'GET /metrics/v2', as: 'admin.test', status: 200, has: { 'x-puppet-version': undefined } },
      },
      {
        row: '/puppet-admin-api has none',
        request: 'DELETE /puppet-admin-api/v1/environment-cache',
        ...{ status: 403, has: { 'x-puppet-version': undefined } },
      },
      {
        row: 'answers are compressed by gzip where the client takes it',
        request: `GET file_metadatas/modules/demo?recurse=true&${e}`,
        headers: { ...json, 'accept-encoding': 'gzip;q=1.0,deflate;q=0.6' },
        ...{ status: 200, has: { 'content-encoding': 'gzip', vary: 'Accept-Encoding, User-Agent' } },
      },
      {
        row: 'and are not where it does not',
        request: `GET file_metadatas/modules/demo?recurse=true&${e}`,
        ...{ status: 200, has: { 'content-encoding': undefined, vary: 'Accept-Encoding, User-Agent' } },
      },
      {
        row: 'a catalog names its compiler',
        ...{ request: `GET catalog/a.test?${e}`, status: 200, has: { 'x-puppet-compiler-name': 'localhost' } },
      },
    ],
  },
  {
    section: '1.4',
    server: 'byDefault',
    rows: [
      {
        row: 'a list is a key that is repeated',
        request: `GET file_metadatas/modules/demo?recurse=true&ignore=tree&ignore=*.txt&${e}`,
        ...{ status: 200, part: (found: { relative_path: string }[]) => found.length, answer: 1 },
      },
      {
        row: 'in a form, what is in the body wins over what is in the query',
        request: 'POST catalog/a.test?environment=nope',
        ...{ headers: form, body: e, status: 200, part: (found: { environment: string }) => found.environment },
        answer: 'production',
      },
      {
        row: '`node` and `ip` are dropped: a client is who its certificate says',
        request: `GET node/a.test?node=b.test&ip=1.2.3.4&${e}`,
        ...{ status: 200, part: (found: { name: string }) => found.name, answer: 'a.test' },
      },
      {
        row: '`bucket_path` is dropped',
        request: `GET file_bucket_file/sha256/${'0'.repeat(64)}?bucket_path=/etc&${e}`,
        ...{ headers: { accept: 'application/octet-stream' }, status: 404 },
        answer: error(`Not Found: Could not find file_bucket_file sha256/${'0'.repeat(64)}`, 'RESOURCE_NOT_FOUND'),
      },
    ],
  },
  {
    section: '1.5',
    server: 'byDefault',
    rows: [
      { row: 'the first of Accept that we have is taken', request: `GET ${file}`, status: 200, type: jsonType },
      {
        row: '`q` does not count, the order does',
        request: `GET ${file}`,
        ...{ headers: { accept: 'text/x, text/pson;q=0.1, application/json;q=1' }, status: 200, type: 'text/pson' },
      },
      {
        row: '`*/*` is our first one',
        ...{ request: `GET ${file}`, headers: { accept: 'text/x, */*' }, status: 200, type: jsonType },
      },
      {
        row: 'rich JSON has a space before its character set',
        request: `GET catalog/a.test?${e}`,
        ...{ headers: { accept: 'application/vnd.puppet.rich+json' }, status: 200 },
        type: 'application/vnd.puppet.rich+json; charset=utf-8',
      },
      {
        row: 'bytes have no character set',
        request: `GET file_content/modules/demo/a.txt?${e}`,
        ...{ headers: { accept: 'application/octet-stream' }, status: 200, type: 'application/octet-stream' },
      },
      {
        row: 'no Accept to find one',
        ...{ request: `GET ${file}`, headers: {}, status: 400, type: jsonType, answer: missingAccept },
      },
      {
        row: 'no Accept to find several',
        request: `GET file_metadatas/modules/demo?${e}`,
        ...{ headers: {}, status: 400, type: jsonType, answer: missingAccept },
      },
      {
        row: 'nothing in Accept that we have',
        ...{ request: `GET ${file}`, headers: { accept: 'text/html' }, status: 406, type: jsonType },
        answer: error('Not Acceptable: No supported formats are acceptable (Accept: text/html)', 'UNSUPPORTED_FORMAT'),
      },
      {
        row: 'a body that is saved needs no Accept',
        request: `PUT facts/a.test?${e}`,
        ...{ headers: { 'content-type': 'application/json' }, body: facts('a.test'), status: 200, type: jsonType },
      },
      {
        row: 'a body without Content-Type',
        ...{ request: `PUT facts/a.test?${e}`, body: facts('a.test'), status: 400, type: jsonType },
        answer: error(
          "Bad Request: No Content-Type header was received, it isn't possible to unserialize the request",
          'MISSING_HEADER_FIELD',
        ),
      },
      {
        row: 'a body of another type',
        request: `PUT facts/a.test?${e}`,
        ...{ headers: { 'content-type': 'text/x' }, body: facts('a.test'), status: 415, type: jsonType },
        answer: error(
          "Unsupported Media Type: Client sent a mime-type (text/x) that doesn't correspond to a format we support",
          'UNSUPPORTED_MEDIA_TYPE',
        ),
      },
      {
        row: 'a body that cannot be read',
        request: `PUT facts/a.test?${e}`,
        ...{ headers: { 'content-type': 'application/json' }, body: '{', status: 400, type: jsonType },
        answer: unreadable,
      },
    ],
  },
  {
    section: '1.6',
    server: 'open',
    rows: [
      {
        row: 'no environment',
        ...{ request: 'GET file_metadata/modules/demo/a.txt', status: 400, type: jsonType },
        answer: error('Bad Request: An environment parameter must be specified'),
      },
      {
        row: 'a name that is no word',
        ...{ request: 'GET file_metadata/modules/demo/a.txt?environment=pro-d', status: 400, type: jsonType },
        answer: error("Bad Request: The environment must be purely alphanumeric, not 'pro-d'"),
      },
      ...[
        'file_metadata/modules/demo/a.txt',
        'file_metadatas/plugins',
        'file_content/modules/demo/a.txt',
        'node/a.test',
      ]
        .map((path) => ({ path, headers: { accept: '*/*' } }))
        .map(({ path, headers }) => ({
          ...{ row: `an environment that is not there: ${path}`, request: `GET ${path}?environment=nope`, headers },
          ...{ status: 404, type: jsonType, answer: error("Not Found: Could not find environment 'nope'") },
        })),
      {
        row: 'an environment that is not there: PUT facts',
        request: 'PUT facts/a.test?environment=nope',
        ...{ headers: { 'content-type': 'application/json' }, body: facts('a.test'), status: 404, type: jsonType },
        answer: error("Not Found: Could not find environment 'nope'"),
      },
      {
        row: 'an indirection that is no word',
        ...{ request: `GET x-y/z?${e}`, status: 400, type: jsonType },
        answer: error("Bad Request: The indirection name must be purely alphanumeric, not 'x-y'"),
      },
      {
        row: 'an unknown indirection',
        ...{ request: `GET x/z?${e}`, status: 404, type: jsonType },
        answer: error("Not Found: Could not find indirection 'x'", 'HANDLER_NOT_FOUND'),
      },
      {
        row: 'no key',
        ...{ request: `GET file_metadata/?${e}`, status: 400, type: jsonType },
        answer: error('Bad Request: No request key specified in /puppet/v3/file_metadata/'),
      },
      {
        row: 'one that is not there',
        ...{ request: `GET file_metadata/modules/demo/none?${e}`, status: 404, type: jsonType },
        answer: error('Not Found: Could not find file_metadata modules/demo/none', 'RESOURCE_NOT_FOUND'),
      },
      {
        row: 'several that are not there',
        ...{ request: `GET file_metadatas/modules/demo/none?${e}`, status: 404, type: jsonType },
        answer: error(
          "Not Found: Could not find instances in file_metadata with 'modules/demo/none'",
          'RESOURCE_NOT_FOUND',
        ),
      },
      {
        row: 'another method',
        ...{ request: `PATCH node/a.test?${e}`, status: 405, type: jsonType },
        answer: error('Method Not Allowed: No support for http method PATCH', 'UNSUPPORTED_METHOD'),
      },
      {
        row: 'a method that an indirection does not have',
        ...{ request: `DELETE node/a.test?${e}`, status: 405, type: jsonType },
        answer: error('Method Not Allowed: No support for http method DELETE', 'UNSUPPORTED_METHOD'),
      },
      {
        row: 'code that does not compile',
        ...{ request: 'GET catalog/a.test?environment=broken', status: 500, type: jsonType },
        answer: error(expect.stringMatching(/^Server Error: Could not parse for environment broken: Syntax error at/)),
      },
      {
        row: 'HEAD has a status and no body',
        request: `HEAD file_bucket_file/sha256/${'0'.repeat(64)}?${e}`,
        ...{ headers: { accept: 'application/octet-stream' }, status: 404, answer: '' },
      },
    ],
  },
  {
    section: '1.7',
    server: 'byDefault',
    rows: [
      {
        row: 'a refusal by auth.conf: no content type',
        ...{ request: `GET node/x?${e}`, status: 403, type: 'none' },
        answer: 'Forbidden request: /puppet/v3/node/x (method :get). Please see the server logs for details.',
      },
      ...['..', '.', '%2e%2e', '%2E'].map((dots) => ({
        row: `the path segment ${dots}, before authorization: no content type`,
        ...{ request: `GET file_content/modules/${dots}/x?${e}`, as: 'nobody', status: 400, type: 'none' },
        answer: `Invalid relative path (.. or .) in: /puppet/v3/file_content/modules/${decodeURIComponent(dots)}/x`,
      })),
      {
        row: 'a path that no rule is for: refused',
        ...{ request: 'GET /nothing', status: 403, type: 'none' },
        answer: 'Forbidden request: /nothing (method :get). Please see the server logs for details.',
      },
    ],
  },
  {
    section: '1.7',
    server: 'open',
    rows: [
      {
        row: 'a path that no route is for, to who takes JSON',
        ...{ request: 'GET /nothing', status: 404, type: 'application/json; charset=utf-8' },
        answer: { message: 'Not Found', url: '/nothing', status: '404' },
      },
      {
        row: 'a path that no route is for, to others',
        ...{ request: 'GET /nothing', headers: {}, status: 404, type: textType, answer: 'Not Found: /nothing' },
      },
      {
        row: 'plain text with 400',
        ...{ request: 'GET catalog/a.test', status: 400, type: textType },
        answer: "The environment must be purely alphanumeric, not 'null'",
      },
    ],
  },
]
