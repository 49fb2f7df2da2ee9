// The same cases on PostgreSQL: databases.ts.
import './statuses.test.ts'
