/** The way from credits to the bill of the job that they were for. */
import { Link } from '@tanstack/react-router';

/** A job by its name, or by its id where it has none. */
export function JobLink({ jobId, name }: { readonly jobId: string | null; readonly name: string | null }) {
  if (jobId === null) return null;
  const words = name === null || name === '' ? jobId.slice(0, 8) : name;
  return (
    <Link to="/jobs/$jobId" params={{ jobId }} search={{ tab: 'bill' }} title={words}>
      <bdi>{words}</bdi>
    </Link>
  );
}
