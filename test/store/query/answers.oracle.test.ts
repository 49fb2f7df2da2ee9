// The same cases on PostgreSQL: databases.ts.
import './answers.test.ts'
