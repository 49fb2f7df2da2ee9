// The rooms of src/. test/architecture.test.ts enforces their order; docs/architecture.md lists them.

/** @type {Readonly<Record<string, string>>} Rooms with their contents. A room imports only rooms above it in this list. */
export const rooms = {
  base: 'tools without Puppet or Ruby: errors with places, JSON, text, threads, time, budgets',
  language: "the Puppet language, Ruby's semantics of values, native versions of module functions",
  ruby: 'Ruby code of modules: CRuby in WebAssembly, and reuse of its calls',
  machine: 'files, programs and users of this machine; settings and their files',
  ca: 'certificates and the authority that signs them',
  model: 'catalogs, facts, nodes and reports, with their wire formats; the indirector',
  network: 'requests to servers; external answers (DNS, HTTP) during a compilation',
  code: 'Git repositories, and environments as trees of files',
  node: 'the agent, resource types and providers, facts',
  store: 'catalogs, facts and reports of nodes, their history and queries; the audit log',
  compiler: 'compiles facts and code to a catalog; Hiera and policies',
  workbench: 'tools for authors: linter, formatter, documentation, tests of modules',
  deploy: 'pushes: code sources, modules, hooks, the gate, the impact on nodes',
  server: 'HTTPS, authorization, HTTP APIs, termini, console',
  cli: 'the commands, a folder per noun',
  'main.ts': 'the command line',
  'api.ts': 'the package, for programs',
}

/**
 * Parts of a room that have an order, each with its content. A part imports only parts above it in this list.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const parts = {
  language: {
    'ruby-semantics': 'Ruby and YAML 1.1: Psych, regular expressions, strftime, URIs, random numbers',
    syntax: 'lexer, parser, syntax tree, validation',
    'pcore-ast': "converts Puppet's AST as data to code",
    values: 'the values of expressions, including types',
    types: 'the type system: instances, assignability, printing, mismatches, `Type.new`',
    'rich-data': 'values as JSON with type tags',
    evaluator: 'evaluates a syntax tree',
    functions: 'the built-in functions',
    'module-functions': "native functions of well-known modules, each compared with the module's Ruby code",
  },
  workbench: {
    lint: 'checks of manifests with the names and results of puppet-lint, and their corrections',
    format: 'the formatter of manifests',
    docs: 'documentation of modules: REFERENCE.md, JSON, HTML',
    systems: 'operating systems of metadata.json, and their facts in FacterDB',
    'code-index': 'names that code defines and uses, found by the rules of the autoloader',
    'code-checks': 'semantic checks of the linter: names, types, files and branches of a whole code base',
    'manifest-tests': 'tests in the Puppet language',
    'language-server': 'serves editors by the Language Server Protocol',
    spec: 'runs suites of rspec-puppet with our compiler',
  },
  compiler: {
    hiera: 'Hiera: layers, merges, backends',
    policy: 'rules about catalogs, and their exceptions',
    profile: 'measures where a compilation spends its time',
    request: 'the compile request, its messages and errors',
    code: "definitions in the commit's code, found by name",
    reads: 'records what a compilation reads',
    provenance: 'records where values come from',
    catalog: 'the catalog during compilation: resources, scopes, deferred work',
    evaluate: 'runs code: classes, definitions, collectors, overrides',
    ruby: 'Ruby during compilation: interpreters, and the types of modules',
    begin: 'creates a compilation, before any code runs',
    finish: 'relationships, late overrides, checks, inherited metaparameters',
    write: 'the finished catalog: resources, edges, file metadata, exports',
    'compile.ts': 'compiles a catalog, phase by phase',
    'script-evaluation.ts': 'runs code without a catalog, or after one',
    'catalog-policy-check.ts': 'applies policies to a catalog',
    explain: 'the origin of a resource and of its values',
    recall: 'reuse of earlier catalogs while everything that they read is unchanged',
    workers: 'threads that compile',
    coverage: 'code that no node uses',
  },
}

/** @type {Readonly<Record<string, string>>} Files of types that every part of a room may import, each with the reason. */
export const borders = {
  'language/host.ts': 'interfaces alone: all that the language asks of outside, known to each of its rooms',
}

/** @type {Readonly<Record<string, readonly string[]>>} Rooms that promise more: they import nothing but these. */
export const only = {
  'ruby/trace': ['base'],
  language: ['base'],
  'model/indirector': ['base', 'language'],
}

/** @type {Readonly<Record<string, string>>} Files of more than 400 lines, each with the reason. */
export const largeFiles = {}

/** @type {Readonly<Record<string, string>>} Folders of more than thirty files of code, each with the reason. */
export const largeFolders = {}

/** @type {Readonly<Record<string, string>>} Functions of more than sixty lines, by `FILE NAME`, each with the reason. */
export const longFunctions = {
  'network/client/puppet-v3.ts createPuppetV3Client': 'a list of requests, a few lines each',
  'node/agent/run.ts runOnce': 'the steps of a run, in their order',
}
