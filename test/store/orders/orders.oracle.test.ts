import { sql } from 'kysely'
import { describe } from 'vitest'
import { openStoredOrders } from '../../../src/store/orders/stored-orders.ts'
import { databaseKinds, storeFor } from '../databases.ts'
import { keepsOrders } from './orders-contract.ts'

for (const kind of databaseKinds)
  describe.skipIf(kind.missing !== '')(kind.title, () => {
    const store = storeFor(kind)
    keepsOrders(kind.name, async () => {
      for (const table of ['orders', 'order_batches']) await store.database.run(sql`delete from ${sql.table(table)}`)
      return openStoredOrders(store.database)
    })
  })
