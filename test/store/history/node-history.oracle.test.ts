// The same cases on PostgreSQL: databases.ts.
import './node-history.test.ts'
