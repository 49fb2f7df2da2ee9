import { throwIssue } from '../../../base/issue.ts'
import { formatExactJson } from '../../../base/json/json-text.ts'
import type { FactsDocument } from '../../../model/facts.ts'
import { indirectorIssues } from '../../../model/indirector/issues.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { buildTrustedFacts } from '../../../node/facts/trusted.ts'
import type { FactsRequest, FactsServices } from './index.ts'

/** Facts of active nodes in the store. puppet-terminus-puppetdb: indirector/facts/puppetdb.rb. */
export const puppetdb: TerminusDefinition<FactsDocument, FactsServices, FactsRequest> = {
  doc: 'Stores facts in the store.',
  create({ stored }) {
    if (!stored) throwIssue(indirectorIssues.TERMINUS_WITHOUT_STORE, { what: 'facts' })
    const { store, recorder, payload, readRows } = stored
    return {
      async find({ key }) {
        const pending = recorder.facts.get(key)
        if (pending) return pending.value
        const query = ['extract', ['name', 'value'], ['=', 'certname', key]]
        const answer = await store.ask({ method: 'POST', path: '/facts', search: '', body: formatExactJson({ query }) })
        const pieces: Buffer[] = []
        for await (const piece of answer!.pieces) pieces.push(Buffer.from(piece))
        return readRows(key, Buffer.concat(pieces))
      },
      async save(facts, { key, environment = stored.environment, trusted = () => createLocalTrustedFacts(key) }) {
        const proven = await trusted()
        const sending = { environment, trusted: proven, ...recorder.sending() }
        await recorder.recordFacts({ ...facts, trusted: proven }, payload(facts, sending))
      },
      destroy: ({ key }) => recorder.deactivate(key),
    }
  },
}

/** Trusted facts for facts that no client sent. Puppet: `TrustedInformation.local`. */
function createLocalTrustedFacts(certname: string) {
  return buildTrustedFacts({ authenticated: 'local', certname })
}
