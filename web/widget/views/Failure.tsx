/** @jsxImportSource preact */
/** What went wrong, read out at once. */
export const Failure = ({ message }: { message: string }) =>
  message === '' ? null : (
    <p class="error" role="alert">
      {message}
    </p>
  )
