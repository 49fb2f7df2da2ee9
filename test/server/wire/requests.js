// Requests that real Puppet Server and ours are asked, in this order. Each is a row: a method, a path, and what goes with it.

import { readFileSync } from 'node:fs'

/** Code as real Puppet makes data of it: pops/serialization/to_data_converter.rb, with local references. */
const asts = JSON.parse(readFileSync(new URL('./asts.json', import.meta.url), 'utf8'))
const json = { 'Content-Type': 'application/json' }
const v4 = (body) => [
  'POST',
  '/puppet/v4/catalog',
  { headers: json, body: typeof body === 'string' ? body : JSON.stringify(body) },
]
const get = (path, accept, method = 'GET') => [
  method,
  path,
  { headers: accept === undefined ? {} : { Accept: accept } },
]
const put = (path, type, body) => ['PUT', path, { headers: type === undefined ? {} : { 'Content-Type': type }, body }]
const each = (names, row) => Object.fromEntries(names.map(row))

const persistence = { facts: false, catalog: false }
const facts = { values: { kernel: 'Linux' } }
const trusted_facts = { values: { certname: 'told.test', authenticated: 'remote' } }
const node = (certname, more = {}) => ({
  ...{ certname, persistence, environment: 'production', facts, trusted_facts },
  ...more,
})
const code = (code_ast, more = {}) => [
  'POST',
  '/puppet/v3/compile',
  {
    headers: json,
    body: JSON.stringify({
      ...{ certname: 'told.test', code_ast, environment: 'production', facts, trusted_facts },
      variables: { values: { kind: 'abc', list: [1, 2] } },
      ...more,
    }),
  },
]
const logs = (log_level) => node('warns.test', { options: { capture_logs: true, log_level } })
const e = 'environment=production'
const meta = `links=manage&checksum_type=sha256&source_permissions=ignore&${e}`
const files = '/puppet/v3/file_metadata'
const content = '/puppet/v3/file_content'
const bucket = '/puppet/v3/file_bucket_file'
const demo = `${files}/modules/demo/a.txt`
const sum = '0123456789abcdef'.repeat(4)
const factsBody = JSON.stringify({ name: 'kept.test', values: { kernel: 'Kept' } })
const tasks = [
  ...['hi', 'init', 'secret', 'broken', 'many', 'noimpl', 'notlist', 'badfiles', 'lostfile', 'lostmodule', 'wrongdir'],
  ...['nofile', 'two', 'Bad', 'readme', 'zz', 'many_sh', 'er', 'a::b', 'x.y'],
]

/** Requests by name. */
export const requests = {
  'v4: no JSON': v4('x'),
  'v4: empty': v4(''),
  'v4: nothing in it': v4({}),
  'v4: a list': v4([]),
  'v4: null': v4('null'),
  'v4: wrong types': v4({
    ...{ certname: 1, persistence: { facts: 'x' }, environment: 'a-b', facts: {}, trusted_facts: 1 },
    ...{ job_id: 1, transaction_uuid: [] },
  }),
  'v4: unknown keys': v4({ ...node('a.test'), more: 1 }),
  'v4: unknown option': v4(node('a.test', { options: { x: 1, log_level: 'loud', capture_logs: 'yes' } })),
  'v4: null facts': v4(node('a.test', { facts: null })),
  'v4: no environment of this name': v4(node('a.test', { environment: 'nope' })),
  'v4: a catalog': v4(node('a.test')),
  'v4: rich data': v4(node('rich.test')),
  'v4: an error of code': v4(node('broken.test')),
  'v4: facts and trusted facts': v4(node('warns.test')),
  'v4: logs': v4(node('warns.test', { options: { capture_logs: true } })),
  'v4: logs of level debug': v4(logs('debug')),
  'v4: logs of level info': v4(logs('info')),
  'v4: logs of level warning': v4(logs('warning')),
  'v4: logs of level err': v4(logs('err')),
  'v4: facts are kept': v4(
    node('warns.test', { persistence: { facts: true, catalog: true }, facts: { values: { kernel: 'Kept' } } }),
  ),
  'v4: kept facts are taken': v4({ certname: 'warns.test', persistence, environment: 'production' }),
  'v4: trusted facts among facts': v4({
    ...{ certname: 'warns.test', persistence, environment: 'production' },
    facts: { values: { kernel: 'Linux', trusted: { certname: 'inner.test' } } },
  }),
  'v4: preferred environment': v4(node('warns.test', { options: { prefer_requested_environment: true } })),
  'v4: GET': get('/puppet/v4/catalog', 'application/json'),

  'compile: no JSON': ['POST', '/puppet/v3/compile', { headers: json, body: 'x' }],
  'compile: nothing in it': ['POST', '/puppet/v3/compile', { headers: json, body: '{}' }],
  'compile: wrong types': code(1, { variables: { values: 1 }, facts: {}, certname: 2, more: 1 }),
  'compile: no environment': code(asts.good, { environment: undefined }),
  'compile: an environment and a project': code(asts.good, { versioned_project: 'x' }),
  'compile: for a plan': code(asts.good, { options: { compile_for_plan: true } }),
  'compile: a catalog': code(asts.good),
  'compile: variables in a list': code(asts.good, { variables: { values: [{ kind: 'abc' }, { list: [1, 2] }] } }),
  'compile: logs': code(asts.good, { options: { capture_logs: true, log_level: 'warning' } }),
  'compile: an error of code': code(asts.bad),
  'compile: an AST that is no JSON': code('{'),
  'compile: an AST that is none': code('{"a":1}'),
  'compile: an AST of no kind': code('{"__ptype":"Puppet::AST::Nope"}'),
  'compile: GET': get('/puppet/v3/compile', 'application/json'),

  'tasks: no environment': get('/puppet/v3/tasks'),
  'tasks: a wrong one': get('/puppet/v3/tasks?environment=a-b'),
  'tasks: an unknown one': get('/puppet/v3/tasks?environment=nope'),
  tasks: get(`/puppet/v3/tasks?${e}`),
  'tasks: with a slash': get(`/puppet/v3/tasks/?${e}`),
  'tasks: a module alone': get(`/puppet/v3/tasks/demo?${e}`),
  ...each(tasks, (name) => [`tasks: demo/${name}`, get(`/puppet/v3/tasks/demo/${name}?${e}`)]),
  'tasks: other/init': get(`/puppet/v3/tasks/other/init?${e}`),
  'tasks: no such module': get(`/puppet/v3/tasks/zz/hi?${e}`),
  'tasks: no such module, init': get(`/puppet/v3/tasks/zz/init?${e}`),
  'tasks: of an unknown environment': get('/puppet/v3/tasks/demo/hi?environment=nope'),
  'tasks: HEAD': get(`/puppet/v3/tasks?${e}`, undefined, 'HEAD'),
  'tasks: POST': get(`/puppet/v3/tasks?${e}`, undefined, 'POST'),
  plans: get(`/puppet/v3/plans?${e}`),
  'plans: an unknown environment': get('/puppet/v3/plans?environment=nope'),
  ...each(['init', 'sub', 'yam', 'down', 'Bad', 'zz'], (name) => [
    `plans: demo/${name}`,
    get(`/puppet/v3/plans/demo/${name}?${e}`),
  ]),
  'plans: no such module': get(`/puppet/v3/plans/zz/hi?${e}`),
  'transports: no environment': get('/puppet/v3/environment_transports'),
  'transports: an unknown environment': get('/puppet/v3/environment_transports?environment=nope'),
  transports: get(`/puppet/v3/environment_transports?${e}`),

  'accept: none': get(`${demo}?${meta}`),
  'accept: html': get(`${demo}?${meta}`, 'text/html'),
  'accept: anything': get(`${demo}?${meta}`, '*/*'),
  'accept: text/json': get(`${demo}?${meta}`, 'text/json'),
  'accept: pson of a file': get(`${demo}?${meta}`, 'text/pson'),
  'accept: pson, q values': get(`${demo}?${meta}`, 'text/pson;q=0.1, application/json;q=0.9'),
  'accept: pson of files': get(`${files}s/modules/demo?recurse=true&${meta}`, 'text/pson'),
  'accept: pson of a node': get(`/puppet/v3/node/a.test?${e}`, 'text/pson'),
  'accept: pson of a catalog': get(`/puppet/v3/catalog/a.test?${e}`, 'text/pson'),
  'accept: json of a catalog': get(`/puppet/v3/catalog/a.test?${e}`, 'application/json'),
  'accept: msgpack of a catalog': get(`/puppet/v3/catalog/a.test?${e}`, 'application/x-msgpack'),
  'accept: yaml of a node': get(`/puppet/v3/node/a.test?${e}`, 'text/yaml'),
  'accept: s of a node': get(`/puppet/v3/node/a.test?${e}`, 'text/plain'),
  'accept: anything of a catalog': get(`/puppet/v3/catalog/a.test?${e}`, '*/*'),
  'accept: anything of a node': get(`/puppet/v3/node/a.test?${e}`, '*/*'),
  'facts: no type': put(`/puppet/v3/facts/kept.test?${e}`, undefined, factsBody),
  'facts: an unknown type': put(`/puppet/v3/facts/kept.test?${e}`, 'text/x', factsBody),
  'facts: json': put(`/puppet/v3/facts/kept.test?${e}`, 'application/json', factsBody),
  'facts: pson': put(`/puppet/v3/facts/kept.test?${e}`, 'text/pson', factsBody),
  'facts: text/json': put(`/puppet/v3/facts/kept.test?${e}`, 'text/json', factsBody),
  'facts: no pson': put(`/puppet/v3/facts/kept.test?${e}`, 'text/pson', '{'),
  'facts: GET': get(`/puppet/v3/facts/kept.test?${e}`, 'application/json'),

  'files: HEAD': get(`${demo}?${meta}`, 'application/json', 'HEAD'),
  'files: content, HEAD': get(`${content}/modules/demo/a.txt?${e}`, 'application/octet-stream', 'HEAD'),
  'files: content, as JSON': get(`${content}/modules/demo/a.txt?${e}`, 'application/json'),
  'files: content, anything': get(`${content}/modules/demo/a.txt?${e}`, '*/*'),
  'files: POST': get(`${demo}?${meta}`, 'application/json', 'POST'),
  'files: DELETE': get(`${demo}?${meta}`, 'application/json', 'DELETE'),
  'files: no environment': get(demo, 'application/json'),
  'files: a wrong environment': get(`${demo}?environment=a-b`, 'application/json'),
  'files: an unknown environment': get(`${demo}?environment=nope`, 'application/json'),
  'files: no key': get(`${files}/?${meta}`, 'application/json'),
  'files: no module': get(`${files}/modules?${meta}`, 'application/json'),
  'files: dots': get(`${files}/modules/demo/../a.txt?${meta}`, 'application/json'),
  'files: encoded dots': get(`${files}/modules/demo/%2e%2e/a.txt?${meta}`, 'application/json'),
  ...each(['md5', 'md5lite', 'sha1', 'sha224', 'sha256lite', 'sha384', 'sha512', 'none'], (type) => [
    `files: ${type}`,
    get(`${demo}?${meta.replace('sha256', type)}`, 'application/json'),
  ]),
  environments: get('/puppet/v3/environments', 'application/json'),
  'environments: no Accept': get('/puppet/v3/environments'),
  'unknown indirection': get(`/puppet/v3/nope/x?${e}`, 'application/json'),
  'static: none of it': get('/puppet/v3/static_file_content/modules/demo/files/a.txt'),
  'static: HEAD': get(
    `/puppet/v3/static_file_content/modules/demo/files/a.txt?${e}&code_id=CODE_ID`,
    undefined,
    'HEAD',
  ),
  'static: a file': get(`/puppet/v3/static_file_content/modules/demo/files/a.txt?${e}&code_id=CODE_ID`),
  'bucket: list': get(`${bucket}/sha256/${sum}?list_all=true&${e}`, 'text/plain'),
  'bucket: list of nothing': get(`${bucket}/sha256/?list_all=true&${e}`, 'application/octet-stream'),
  'bucket: list of all': get(`${bucket}/sha256/0?list_all=true&${e}`, 'application/octet-stream'),
  'bucket: none': get(`${bucket}/sha256/${sum}?${e}`, 'application/octet-stream'),
  'bucket: none, HEAD': get(`${bucket}/sha256/${sum}?${e}`, 'application/octet-stream', 'HEAD'),
  'bucket: bad sum': get(`${bucket}/sha256/zz?${e}`, 'application/octet-stream'),
  'bucket: bad type': get(`${bucket}/foo/${sum}?${e}`, 'application/octet-stream'),
  'old route: GET': get('/production/node/a.test', 'application/json'),
}
