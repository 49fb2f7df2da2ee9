import { formatExactJson } from '../../base/json/json-text.ts'
import type { CallContext } from '../host.ts'
import { toRichData } from '../rich-data/write.ts'
import { parseRubyJson } from '../ruby-semantics/json/read-json.ts'
import type { Value } from '../values/value.ts'
import { valueForm } from '../values/yaml.ts'
import { defineFunction } from './definition/define-function.ts'

/** Name of a function that is available only if the host has a store. */
export const puppetDbQueryName = 'puppetdb_query'

/**
 * `puppetdb_query`: queries nodes in PQL or as an AST. The store's reply to a rejected query is an error text instead
 * of JSON; the text becomes the error message, as with PuppetDB. puppet-terminus-puppetdb: functions/puppetdb_query.rb,
 * util/puppetdb.rb.
 */
export const puppetDbQuery = defineFunction(puppetDbQueryName, 'Queries the store of nodes in PQL or by an AST.', {
  'Variant[String[1], Array[Data, 1]] $query': (query: Value, { host }: CallContext) => {
    const json = toRichData(query, { richData: false, warn: () => {} })
    return parseRubyJson(host.askStore!(formatExactJson({ query: json })), valueForm)
  },
})
