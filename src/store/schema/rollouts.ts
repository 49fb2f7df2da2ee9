/**
 * The fifth schema: the state of each environment's rollout, as JSON text, with a version for updates by
 * compare-and-set; and documents that do not change, such as the nodes of a rollout's waves.
 */
export function createRolloutTables(): readonly string[] {
  return [
    'create table rollouts (environment text primary key, version bigint not null, state text not null)',
    'create table rollout_documents (name text primary key, created bigint not null, content text not null)',
  ]
}
