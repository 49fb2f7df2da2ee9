// The same cases on PostgreSQL: databases.ts.
import './stored-exports.test.ts'
