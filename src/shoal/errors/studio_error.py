"""Refusals of Studio: what a request asked for and cannot have, with the status of its answer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, listed


class StudioError(ShoalError):
    """A request of a page that Studio refuses."""

    status = 400

    @classmethod
    def _of(cls, status: int, message: str) -> Self:
        error = cls(message)
        error.status = status
        return error

    @classmethod
    def no_token(cls) -> Self:
        return cls._of(
            401,
            "This browser has not been let in. Open the address that 'shoal studio' printed when it started; it can be "
            "used once. Stop Studio and start it again for a new one.",
        )

    @classmethod
    def wrong_host(cls) -> Self:
        return cls._of(403, "The request names another host. Studio answers only at the address that it printed.")

    @classmethod
    def wrong_origin(cls) -> Self:
        return cls._of(403, "The request comes from another site. Use the pages of Studio itself.")

    @classmethod
    def outside(cls, roots: Iterable[Path]) -> Self:
        return cls._of(
            403,
            f"This path is outside of the folders that Studio was started with: {listed(roots)}. Choose a file in "
            "them, or start Studio with another --folder.",
        )

    @classmethod
    def names_file_outside(cls, name: str, roots: Iterable[Path]) -> Self:
        return cls._of(
            422,
            f"The policy names the file '{name}', which is outside of the folders that Studio was started with: "
            f"{listed(roots)}. Move it, or start Studio with another --folder.",
        )

    @classmethod
    def leads_out(cls, file: Path, roots: Iterable[Path]) -> Self:
        return cls._of(
            403,
            f"{file} leads outside of the folders that Studio was started with: {listed(roots)}. Remove this link, or "
            "start Studio with another --folder.",
        )

    @classmethod
    def removed_at_end(cls, folder: Path, roots: Iterable[Path]) -> Self:
        return cls._of(
            422,
            f"{folder} is removed when Studio ends, with all that is in it. Choose another folder in {listed(roots)}.",
        )

    @classmethod
    def no_folder(cls, path: Path) -> Self:
        return cls._of(404, f"{path}: this folder does not exist or cannot be read. Choose another one.")

    @classmethod
    def no_such_file(cls, path: Path) -> Self:
        return cls._of(404, f"{path}: there is no such file in the folders of Studio. Choose another one.")

    @classmethod
    def file_not_found(cls, file: Path) -> Self:
        return cls(f"{file}: there is no such file. Name a table, or start Studio without one and choose it there.")

    @classmethod
    def folder_not_found(cls, folder: Path) -> Self:
        return cls(f"{folder} is not a folder. Give --folder the folders whose files Studio may open.")

    @classmethod
    def not_installed(cls, package: str) -> Self:
        return cls(f"Studio needs the package {package}. Install it with: pip install 'shoal[studio]'")

    @classmethod
    def too_large(cls, most: int) -> Self:
        return cls._of(
            413,
            f"An upload may have {most // 10**6} MB at most. Open a larger file by its path: nothing is copied then.",
        )

    @classmethod
    def body_too_large(cls, most: int) -> Self:
        return cls._of(413, f"A request may have {most // 10**6} MB at most.")

    @classmethod
    def wrong_type(cls, suffix: str, known: Iterable[str]) -> Self:
        return cls._of(
            415, f"'{suffix}' is not the extension of a table that Shoal reads. It can be: {listed(known, most=30)}."
        )

    @classmethod
    def no_name(cls) -> Self:
        return cls._of(400, "The upload has no file name, or one that is too long. Give the file another name.")

    @classmethod
    def of_upload(cls, error: ShoalError, folder: Path) -> Self:
        """An error about the file in this folder, which whoever uploaded the file does not know."""
        status = error.status if isinstance(error, StudioError) else 422
        return cls._of(status, str(error).replace(f"{folder}/", ""))

    @classmethod
    def malformed(cls, what: str) -> Self:
        return cls._of(400, f"The request is not understood: {what}.")

    @classmethod
    def no_page(cls) -> Self:
        return cls._of(404, "There is no such page. Use the links of Studio.")

    @classmethod
    def no_file(cls) -> Self:
        return cls._of(409, "No table is open. Open one first, on the page Data.")

    @classmethod
    def no_policy(cls) -> Self:
        return cls._of(409, "There is no policy yet: it is proposed when the table has been read. Wait for that job.")

    @classmethod
    def policy_exists(cls, file: Path) -> Self:
        return cls._of(409, f"{file} exists, and is another policy. Move it away, or say that it is to be replaced.")

    @classmethod
    def export_exists(cls, file: Path) -> Self:
        return cls._of(
            422, f"{file} already exists. Choose another folder, or tick that files of an earlier export are replaced."
        )

    @classmethod
    def stale(cls) -> Self:
        return cls._of(
            409, "The policy was changed elsewhere, perhaps in another tab. Look at the new text, then change it again."
        )

    @classmethod
    def no_job(cls, number: int) -> Self:
        return cls._of(404, f"There is no job {number} in this sitting.")

    @classmethod
    def no_run(cls, number: int) -> Self:
        return cls._of(404, f"There is no run {number} in this sitting.")

    @classmethod
    def no_release(cls, number: int) -> Self:
        return cls._of(
            409,
            f"Run {number} has no files: it was only compared, or could not be met. Take its policy over and run it.",
        )

    @classmethod
    def no_table_of_lists(cls, table: str) -> Self:
        return cls._of(422, f"The policy has no table '{table}'. Reload the page.")

    @classmethod
    def no_taxonomy(cls, column: str) -> Self:
        return cls._of(
            422, f"The taxonomy of '{column}' follows from a rule of the policy. Change the rule, or remove it first."
        )

    @classmethod
    def worker_died(cls, how: str) -> Self:
        return cls._of(
            500,
            f"The process of this job ended unexpectedly ({how}), perhaps because memory ran out. Its files were "
            "removed and nothing was released. Run it again, with fewer columns or from the shell with --memory.",
        )

    @classmethod
    def relative_file(cls, name: str, folder: Path) -> Self:
        return cls._of(
            422,
            f"The policy names the file '{name}' by a path that is not the same from another folder. Export to "
            f"{folder}, or name the file by its whole path.",
        )

    @classmethod
    def other_key(cls, file: Path) -> Self:
        return cls._of(
            409, f"{file} is the key of another policy, and keys are never replaced. Export to another folder."
        )

    @classmethod
    def files_changed(cls) -> Self:
        return cls._of(
            409,
            "A file that the policy names was changed after this run, so the files would not repeat it. Run it again.",
        )
