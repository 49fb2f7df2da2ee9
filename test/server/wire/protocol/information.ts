import { expect } from 'vitest'
import { jsonType, type Row, type Section, sendsJson, textType } from './row.ts'

const e = 'environment=production'
const none = { accept: '*/*' }
const endpoints = ['environment_classes', 'environment_transports', 'tasks', 'tasks/demo/hi', 'plans', 'plans/demo/go']
const info = (row: string, path: string, answer: unknown): Row => ({
  ...{ row, request: `GET ${path}`, headers: none, status: 200, type: jsonType, answer },
})
const refused = (row: string, path: string, status: number, answer: unknown, type = textType): Row => ({
  ...{ row, request: `GET ${path}`, headers: none, status, type, answer },
})
const missing =
  'Invalid input: {"certname" missing-required-key, "persistence" missing-required-key, "environment" missing-required-key}'
const asked = { certname: 'a.test', persistence: { facts: false, catalog: false }, environment: 'production' }
const v4 = (row: string, body: string | object, status: number, answer: unknown): Row => ({
  ...{ row, request: 'POST /puppet/v4/catalog', headers: sendsJson, status, answer },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
/** The AST of `notify { "${who}": }` as Puppet writes it. */
const hello = JSON.stringify({
  __ptype: 'Puppet::AST::ResourceExpression',
  type_name: { __ptype: 'Puppet::AST::QualifiedName', value: 'notify' },
  form: 'regular',
  bodies: [
    {
      __ptype: 'Puppet::AST::ResourceBody',
      title: {
        __ptype: 'Puppet::AST::VariableExpression',
        expr: { __ptype: 'Puppet::AST::QualifiedName', value: 'who' },
      },
    },
  ],
})
const code = {
  ...{ certname: 'a.test', environment: 'production', code_ast: hello, facts: { values: {} } },
  ...{ trusted_facts: { values: {} }, variables: { values: { who: 'world' } } },
}
const compile = (row: string, body: object, status: number, answer: unknown): Row => ({
  ...{ row: `POST compile: ${row}`, request: 'POST compile', headers: sendsJson, status, answer },
  body: JSON.stringify(body),
})
const given = { ...asked, facts: { values: {} }, trusted_facts: { values: {} } }

/** Section 10 and 11: information about environments, and catalogs for services. */
export const information: readonly Section[] = [
  {
    section: '10',
    server: 'open',
    rows: [
      ...endpoints.map((path) =>
        refused(`${path}: no environment`, path, 400, 'An environment parameter must be specified'),
      ),
      ...[...endpoints, 'environment_modules'].map((path) =>
        refused(
          `${path}: an environment that is no word`,
          `${path}?environment=a-b`,
          400,
          "The environment must be purely alphanumeric, not 'a-b'",
        ),
      ),
      ...[...endpoints.filter((path) => !/\/demo/.test(path)), 'environment_modules'].map((path) =>
        refused(
          `${path}: an environment that is not there, no content type`,
          `${path}?environment=nope`,
          404,
          "Could not find environment 'nope'",
          'none',
        ),
      ),
      info('environment_classes', `environment_classes?${e}`, {
        name: 'production',
        files: expect.arrayContaining([
          {
            path: 'ENVIRONMENTS/production/modules/demo/manifests/init.pp',
            classes: [
              {
                name: 'demo',
                params: [{ name: 'p', type: 'String', default_literal: 'dflt', default_source: "'dflt'" }],
              },
            ],
          },
          {
            path: 'ENVIRONMENTS/production/modules/demo/manifests/broken.pp',
            error: expect.stringContaining('Syntax error at end of input'),
          },
        ]),
      }),
      {
        row: 'environment_classes has an ETag',
        ...{ request: `GET environment_classes?${e}`, headers: none, status: 200 },
        has: { etag: expect.stringMatching(/^"?[0-9a-f]{64}"?$/) },
      },
      ...['', '--gzip'].map((mark) => ({
        row: `environment_classes with its ETag${mark && ', marked by gzip'}: 304`,
        ...{ request: `GET environment_classes?${e}`, headers: none, revalidates: mark, status: 304, answer: '' },
        has: { etag: expect.stringMatching(/^"?[0-9a-f]{64}"?$/) },
      })),
      info('environment_modules', `environment_modules?${e}`, {
        name: 'production',
        modules: expect.arrayContaining([
          { name: 't/demo', version: '1.2.3' },
          { name: 'flat', version: null },
        ]),
      }),
      info(
        'environment_modules of all environments: a list',
        'environment_modules',
        expect.arrayContaining([expect.objectContaining({ name: 'production' })]),
      ),
      info('environment_transports of no module', `environment_transports?${e}`, {
        name: 'production',
        transports: [],
      }),
      {
        row: 'environment_transports has an ETag',
        ...{ request: `GET environment_transports?${e}`, headers: none, status: 200 },
        has: { etag: expect.stringMatching(/^"?[0-9a-f]{64}"?$/) },
      },
      ...['', '--gzip'].map((mark) => ({
        row: `environment_transports with its ETag${mark && ', marked by gzip'}: 304`,
        ...{ request: `GET environment_transports?${e}`, headers: none, revalidates: mark, status: 304, answer: '' },
        has: { etag: expect.stringMatching(/^"?[0-9a-f]{64}"?$/) },
      })),
      info('tasks', `tasks?${e}`, [
        {
          ...{ name: 'demo::hi', private: false, description: 't' },
          environment: [{ name: 'production', code_id: null }],
        },
      ]),
      info('tasks/MOD/TASK', `tasks/demo/hi?${e}`, {
        ...{ metadata: { description: 't' }, name: 'demo::hi' },
        files: [
          {
            ...{ filename: 'hi.sh', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), size_bytes: 10 },
            uri: {
              path: '/puppet/v3/static_file_content/modules/demo/tasks/hi.sh',
              params: { environment: 'production', code_id: 'CODE_ID' },
            },
          },
        ],
      }),
      refused('tasks of no module', `tasks/zz/hi?${e}`, 404, "Could not find module 'zz'", 'none'),
      refused('no such task', `tasks/demo/zz?${e}`, 404, "Could not find task 'zz'", 'none'),
      refused(
        'a task whose metadata are wrong',
        `tasks/demo/bad?${e}`,
        500,
        { kind: expect.any(String), msg: expect.any(String), details: expect.anything() },
        jsonType,
      ),
      info('plans', `plans?${e}`, [{ name: 'demo::go', environment: [{ name: 'production', code_id: null }] }]),
      info('plans/MOD/PLAN', `plans/demo/go?${e}`, expect.objectContaining({ name: 'demo::go' })),
      refused('plans of no module', `plans/zz/go?${e}`, 404, "Could not find module 'zz'", 'none'),
      refused('no such plan', `plans/demo/zz?${e}`, 404, "Could not find plan 'zz'", 'none'),
    ],
  },
  {
    section: '10',
    server: 'byDefault',
    rows: ['environment_classes', 'environment_modules', 'environment_transports', 'plans'].map((path) => ({
      ...{
        row: `${path}: denied by default`,
        request: `GET ${path}?${e}`,
        as: 'admin.test',
        status: 403,
        type: 'none',
      },
    })),
  },
  {
    section: '11',
    server: 'byDefault',
    rows: [
      {
        ...v4('POST /puppet/v4/catalog: denied to everybody by default', asked, 403, expect.anything()),
        as: 'admin.test',
      },
    ],
  },
  {
    section: '11',
    server: 'open',
    rows: [
      v4('POST /puppet/v4/catalog: no JSON', 'x', 400, expect.stringMatching(/^Error parsing JSON: /)),
      v4('nothing in it', {}, 400, missing),
      compile(
        'nothing in it',
        {},
        400,
        'Invalid input: {"code_ast" missing-required-key, "certname" missing-required-key, "variables" missing-required-key, "facts" missing-required-key, "trusted_facts" missing-required-key}',
      ),
      {
        ...compile('a catalog', code, 200, ['world']),
        part: ({ catalog }: { catalog: { resources: { type: string; title: string }[] } }) =>
          catalog.resources.filter(({ type }) => type === 'Notify').map(({ title }) => title),
      },
      compile('logs', { ...code, options: { capture_logs: true } }, 200, { catalog: expect.anything(), logs: [] }),
      compile(
        'an environment that is not there',
        { ...code, environment: 'nope' },
        500,
        "Internal Server Error: org.jruby.exceptions.RuntimeError: (EnvironmentNotFound) Could not find a directory environment named 'nope' anywhere in the path: ENVIRONMENTS. Does the directory exist?",
      ),
      ...[
        ['no AST', '{}', 'a node is expected'],
        [
          'a kind that no catalog has',
          '{"__ptype":"Puppet::AST::PlanDefinition"}',
          'PlanDefinition cannot be used in a catalog',
        ],
        ['a name that is code', hello.replace('"who"', '"who } fail(1) "'), 'value of a QualifiedName is invalid'],
        [
          'a circle',
          '{"__ptype":"Puppet::AST::NotExpression","expr":{"__ptype":"LocalRef","__pvalue":"$"}}',
          'it exceeds 16 nodes',
        ],
        ['a path that leads nowhere', '{"__ptype":"LocalRef","__pvalue":"$[0]"}', 'a node is expected'],
      ].map(([row, code_ast, why]) => compile(row!, { ...code, code_ast }, 400, `Could not read the AST: ${why}`)),
      v4('a catalog, without logs', given, 200, { catalog: expect.objectContaining({ name: 'a.test' }) }),
      v4('with capture_logs', { ...given, options: { capture_logs: true } }, 200, {
        catalog: expect.objectContaining({ name: 'a.test', code_id: 'CODE_ID' }),
        logs: expect.arrayContaining([
          {
            ...{ level: 'info', source: 'Puppet', tags: ['info'], time: 'TIME', file: null, line: null },
            message: 'Compiled catalog for a.test in environment production using the v4 catalog endpoint',
          },
        ]),
      }),
      {
        ...v4('never static', { ...given, certname: 'static.test' }, 200, [false, false]),
        part: ({ catalog }: { catalog: object }) => ['metadata' in catalog, 'recursive_metadata' in catalog],
      },
      {
        ...v4('what is exported is kept', { ...given, certname: 'shape.test' }, 200, ['exported']),
        part: ({ catalog }: { catalog: { resources: { title: string; exported: boolean }[] } }) =>
          catalog.resources.filter(({ exported }) => exported).map(({ title }) => title),
      },
    ],
  },
]
