/** Keys of one part of a file: supported, ignored, and rejected ones. */
export interface KnownKeys {
  readonly read: readonly string[]
  /** Keys of r10k and g10k for features that do not exist here: caches, purged folders, programs. */
  readonly idle: readonly string[]
  /** Keys whose omission would change the meaning of the file, with the reason for rejecting them. */
  readonly refused?: Readonly<Record<string, string>>
}

const noApp = 'the server does not create tokens of a GitHub App; set oauth_token to a token of a machine user'
const noProgram = 'it runs a program for each branch; select branches with refs, ignore_branch_prefixes or filter_regex'

/** Keys that g10k reads at the top level and r10k below `deploy`. */
const ofDeploying = [
  'purge_levels',
  'purge_allowlist',
  'purge_whitelist',
  'purge_skiplist',
  'purge_blacklist',
  'deployment_purge_allowlist',
  'deployment_purge_whitelist',
  'generate_types',
  'puppet_path',
  'puppet_conf',
]

/** Access options, for all sources or a single one. */
const ofAccess = ['private_key', 'oauth_token', 'username', 'proxy', 'known_hosts', 'ssl_ca']
/** Our own keys, for all sources or a single one. */
const ofFetching = ['interval', 'timeout', 'max_bytes']
const ofSources = [...ofFetching, 'webhook_secret', 'review']
const githubApp = { github_app_id: noApp, github_app_key: noApp }

/** The keys of r10k.yaml, of g10k, and our own. r10k: settings.rb; g10k: g10k.go. */
export const sourceKeys = {
  top: {
    read: ['sources', 'deployed', 'git', 'forge', 'deploy', 'write_lock', ...ofAccess, ...ofSources],
    idle: [
      'cachedir',
      'pool_size',
      'purgedirs',
      'logging',
      'postrun',
      ...ofDeploying,
      'maxworker',
      'maxextractworker',
      'use_cache_fallback',
      'retry_git_commands',
      'git_object_syntax_not_supported',
      'ignore_unreachable_modules',
      'clone_git_modules',
      'forge_cache_ttl',
    ],
  },
  git: { read: [...ofAccess, 'repositories'], idle: ['provider', 'github_app_ttl'], refused: githubApp },
  repository: {
    read: ['remote', ...ofAccess, 'ignore_branch_prefixes'],
    idle: ['github_app_ttl'],
    refused: githubApp,
  },
  forge: { read: ['baseurl', 'proxy', 'authorization_token'], idle: ['allow_puppetfile_override'] },
  deploy: { read: ['write_lock'], idle: [...ofDeploying, 'exclude_spec'] },
  review: { read: ['host', 'url', 'repository', 'token_file', 'username', 'forks', 'console_url'], idle: [] },
  deployed: { read: ['remote', ...ofAccess, ...ofFetching], idle: [] },
  source: {
    read: [
      'type',
      'remote',
      'prefix',
      'ignore_branch_prefixes',
      'invalid_branches',
      'autocorrect_environment_names',
      'strip_component',
      'filter_regex',
      'refs',
      'environments',
      ...ofAccess,
      ...ofSources,
    ],
    idle: ['basedir', 'force_forge_versions', 'warn_if_branch_is_missing', 'exit_if_unreachable', 'puppetfile_name'],
    refused: { filter_command: noProgram },
  },
} as const satisfies Readonly<Record<string, KnownKeys>>
