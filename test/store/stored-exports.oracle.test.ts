// The same cases on PostgreSQL: databases.ts.
import './stored-exports.e2e.test.ts'
