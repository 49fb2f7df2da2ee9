// The rooms of src/, as data: test/architecture.test.ts holds src/ to them, docs/architecture.md shows them.

/** @type {Readonly<Record<string, string>>} The rooms, each with its content. A room imports only rooms above it in this list. */
export const rooms = {
  base: 'sources, issues, graphs, JSON, threads, text, time, budgets: nothing of Puppet or Ruby',
  language: "the Puppet language: text to values and declarations; the meaning of Ruby's values; functions of modules",
  ruby: 'the Ruby of modules: CRuby in WebAssembly, and calls that are remembered',
  machine: 'this machine: its files, commands and users; the settings and their files',
  ca: 'certificates and the authority that signs them',
  model: 'catalogs, facts, nodes and reports, with their wire formats; the indirector',
  network: 'requests to servers, and the external answers (DNS, HTTP) that a compilation may ask for',
  code: 'commits: Git repositories, and environments as trees of files',
  node: "the node's side: the agent, resource types and providers, facts",
  store: 'catalogs, facts and reports of nodes, their history and queries; the audit log',
  compiler: 'node, facts and code to a catalog; Hiera and policies',
  deploy: 'a push: code sources, modules, hooks, the gate, and the impact on nodes',
  server: 'HTTPS, authorization, the endpoints, the termini, the console',
  cli: 'the commands, a folder for each noun',
  'main.ts': 'the command line',
  'api.ts': 'the package, for programs',
}

/**
 * Parts of a room that have an order, each with its content. A part imports only parts above it in this list.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const parts = {
  language: {
    'ruby-semantics': 'what Ruby and YAML 1.1 mean: Psych, regular expressions, strftime, URIs, random numbers',
    syntax: 'text to a checked tree: lexer, parser, tree, validation',
    'pcore-ast': "Puppet's AST as data, to code",
    values: 'the values of expressions; types are values, as plain data',
    types: 'type system: instances, assignability, printing, mismatches, `Type.new`',
    'rich-data': 'values as they travel in JSON',
    evaluator: 'a tree to a value',
    functions: 'the functions of the language',
    'module-functions': "functions of well-known modules, each proven equal to the module's Ruby",
  },
  compiler: {
    hiera: 'data',
    policy: 'rules about catalogs, and their exceptions',
    request: 'the request of a compilation, its messages and errors',
    code: "definitions in the commit's code, found by name",
    reads: 'notes on what a compilation reads',
    provenance: 'notes on the origin of values',
    catalog: 'the catalog during compilation: resources, scopes, deferred work',
    evaluate: 'code is run: classes, definitions, collectors, overrides',
    ruby: "the modules' Ruby: its machines, and the types that it defines",
    begin: 'a compilation before any code runs',
    finish: 'relationships, late overrides, checks, inherited metaparameters',
    write: 'the finished catalog: resources, edges, metadata of files, exports',
    'compile.ts': 'a catalog, phase by phase',
    'run-script.ts': 'code run without a catalog, or after one',
    'check-catalog.ts': 'policies applied to a catalog',
    explain: 'the origin of a resource and of each of its values',
    recall: 'earlier catalogs, valid while everything they read is unchanged',
    workers: 'threads that compile',
    coverage: 'code that no node has used',
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
  'network/client/puppet-v3.ts puppetV3': 'a list of requests, a few lines each',
  'node/agent/run.ts runOnce': 'the steps of a run, in their order',
}
