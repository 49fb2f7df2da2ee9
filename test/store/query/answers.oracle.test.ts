// The same cases on PostgreSQL: databases.ts.
import './answers.e2e.test.ts'
