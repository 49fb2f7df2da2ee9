// The same cases on PostgreSQL: databases.ts.
import './migration.test.ts'
